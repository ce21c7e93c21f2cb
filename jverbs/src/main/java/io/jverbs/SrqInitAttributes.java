package io.jverbs;

/**
 * What a shared receive queue is created with, {@code struct ibv_srq_init_attr}; see ibv_create_srq(3). Ranges are
 * checked when the queue is created: the device's limits are {@link DeviceAttributes#maxSrqWr()} and
 * {@link DeviceAttributes#maxSrqSge()}.
 *
 * @param maxWr how many receive requests may be outstanding, at least; the device may grant more
 * @param maxSge how many scatter/gather elements a request may have, at least
 * @param limit ignored at creation, as verbs do; arm it with {@link SrqModification#ofLimit(int)}
 * @param userContext any object of the program's, given back by the queue; null if there is none
 */
public record SrqInitAttributes(int maxWr, int maxSge, int limit, Object userContext) {

    /**
     * Asks for a queue without limit and user context.
     *
     * @param maxWr how many receive requests may be outstanding, at least
     * @param maxSge how many scatter/gather elements a request may have, at least
     * @return the attributes
     */
    public static SrqInitAttributes of(int maxWr, int maxSge) {
        return new SrqInitAttributes(maxWr, maxSge, 0, null);
    }

    /**
     * Adds a user context.
     *
     * @param context any object of the program's; null for none
     * @return these attributes with it
     */
    public SrqInitAttributes withUserContext(Object context) {
        return new SrqInitAttributes(maxWr, maxSge, limit, context);
    }
}
