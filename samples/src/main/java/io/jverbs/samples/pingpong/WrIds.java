package io.jverbs.samples.pingpong;

/** What names requests in their completions: the kind, and with receives the place of the message. */
final class WrIds {
    static final long RECEIVE = 1;
    static final long SEND = 2;
    private static final int KIND_BITS = 2;

    private WrIds() {}

    static long receive(int place) {
        return (long) place << KIND_BITS | RECEIVE;
    }

    static boolean isSend(long wrId) {
        return wrId == SEND;
    }

    static int place(long wrId) {
        return (int) (wrId >>> KIND_BITS);
    }
}
