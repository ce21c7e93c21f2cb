package io.jverbs;

import java.util.OptionalInt;

/**
 * A change of the size or the limit of a shared receive queue, or of both: the attributes and the mask of
 * ibv_modify_srq(3). {@link SharedReceiveQueue#modify} checks the ranges and makes all changes or none. Immutable.
 */
public final class SrqModification {
    private final OptionalInt maxWr;
    private final OptionalInt limit;

    private SrqModification(OptionalInt maxWr, OptionalInt limit) {
        this.maxWr = maxWr;
        this.limit = limit;
    }

    /**
     * Arms or disarms the limit ({@code IBV_SRQ_LIMIT}). {@link AsyncEventType#SRQ_LIMIT_REACHED} is raised once when
     * the number of outstanding requests drops below the limit.
     *
     * @param limit the number of requests; 0 to disarm the limit
     * @return the change
     */
    public static SrqModification ofLimit(int limit) {
        return new SrqModification(OptionalInt.empty(), OptionalInt.of(limit));
    }

    /**
     * Changes the size ({@code IBV_SRQ_MAX_WR}).
     *
     * @param maxWr the minimum number of outstanding requests that the queue must support; not less than are
     *         outstanding at present
     * @return the change
     */
    public static SrqModification ofMaxWr(int maxWr) {
        return new SrqModification(OptionalInt.of(maxWr), OptionalInt.empty());
    }

    /**
     * Changes the size and the limit.
     *
     * @param maxWr as for {@link #ofMaxWr(int)}
     * @param limit as for {@link #ofLimit(int)}
     * @return the change
     */
    public static SrqModification of(int maxWr, int limit) {
        return new SrqModification(OptionalInt.of(maxWr), OptionalInt.of(limit));
    }

    /** {@return the new size; empty if it is unchanged} */
    public OptionalInt maxWr() {
        return maxWr;
    }

    /** {@return the new limit; empty if it is unchanged} */
    public OptionalInt limit() {
        return limit;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SrqModification that && maxWr.equals(that.maxWr) && limit.equals(that.limit);
    }

    @Override
    public int hashCode() {
        return maxWr.hashCode() * 31 + limit.hashCode();
    }

    @Override
    public String toString() {
        return "SrqModification[maxWr=" + show(maxWr) + ", limit=" + show(limit) + "]";
    }

    private static String show(OptionalInt value) {
        return value.isPresent() ? Integer.toString(value.getAsInt()) : "unchanged";
    }
}
