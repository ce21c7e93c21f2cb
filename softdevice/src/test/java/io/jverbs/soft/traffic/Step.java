package io.jverbs.soft.traffic;

/** Something that a script does. What it needs to know of what came before, the world knows when it is carried out. */
sealed interface Step {

    /** What requests do. */
    enum Kind {
        SEND, WRITE, WRITE_IMM, READ, FETCH_ADD, COMPARE_SWAP;

        boolean consumesReceive() {
            return this == SEND || this == WRITE_IMM;
        }

        boolean isAtomic() {
            return this == FETCH_ADD || this == COMPARE_SWAP;
        }
    }

    /** What links do to packets. */
    enum Fault {
        LOSS, BURST, DUPLICATE, REORDER, CORRUPT, DELAY, JITTER, BANDWIDTH, MTU, PERFECT
    }

    /**
     * Posts a request.
     *
     * @param flow which flow
     * @param kind what it does
     * @param length how many bytes
     * @param place where in the target, as far as there is room for the length
     * @param flags {@link #SIGNALED} and its fellows
     */
    record Post(int flow, Kind kind, int length, int place, int flags) implements Step {}

    int SIGNALED = 1;
    int IMMEDIATE = 2;
    int FENCE = 4;
    int SOLICITED = 8;
    /** A key, or for datagrams a Q_Key, that gives no right. */
    int WRONG_KEY = 16;
    /** A local key that there is not: the sender cannot use its own memory. */
    int WRONG_LKEY = 32;
    /** On a reliable connection: what reads or writes does so through a window, and a SEND invalidates one. */
    int WINDOW = 64;

    /** Posts receive requests of so many bytes each. */
    record Receive(int flow, int count, int capacity) implements Step {}

    /** Changes the link, in both directions (0) or one (1, 2). */
    record Change(Fault fault, int direction, double probability, int amount) implements Step {}

    /** Cuts the link in both directions, or one. */
    record Cut(int direction) implements Step {}

    /** Ends all cuts. */
    record Heal() implements Step {}

    /** Lets time pass. */
    record Pass(int nanos) implements Step {}
}
