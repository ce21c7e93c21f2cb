package io.jverbs.samples.pingpong;

/** The work request IDs: the kind of the request and, for receives, the slot of the message. */
final class WrIds {
    static final long RECEIVE = 1;
    static final long SEND = 2;
    private static final int KIND_BITS = 2;

    private WrIds() {}

    static long receive(int slot) {
        return (long) slot << KIND_BITS | RECEIVE;
    }

    static boolean isSend(long wrId) {
        return wrId == SEND;
    }

    static int slot(long wrId) {
        return (int) (wrId >>> KIND_BITS);
    }
}
