package io.jverbs.samples.perftest.exchange;

/**
 * What a client asks a server of this project for when both synchronise. It is in the number of the shared receive
 * queue, which perftest uses for XRC and DC only and otherwise sends as 0: the kind in the upper four bits, and the
 * count in the others.
 *
 * @param kind the kind of work
 * @param count the number of messages of a warm-up; the length of a message in bytes for a baseline
 */
public record Request(Kind kind, int count) {
    /** No request, as in each message of perftest. */
    public static final Request NONE = new Request(Kind.NONE, 0);
    /** The largest count. */
    public static final int MOST = (1 << 28) - 1;

    private static final int KIND_SHIFT = 28;
    private static final Kind[] KINDS = Kind.values();

    /** The kind of work. */
    public enum Kind {
        /** None. */
        NONE,
        /** Messages that are not measured. */
        WARM_UP,
        /** A measurement without verbs. */
        BASELINE
    }

    /** {@return the number that stands for it} */
    int toInt() {
        return kind.ordinal() << KIND_SHIFT | count;
    }

    /** {@return the request of a number, null if it stands for none} */
    static Request of(int number) {
        int kind = number >>> KIND_SHIFT;
        int count = number & MOST;
        return kind < KINDS.length && (kind == 0) == (count == 0) ? new Request(KINDS[kind], count) : null;
    }
}
