package io.jverbs.soft.traffic;

/** One step of a script. */
sealed interface Step {

    /** The kinds of requests. */
    enum Kind {
        SEND, WRITE, WRITE_IMM, READ, FETCH_ADD, COMPARE_SWAP;

        boolean consumesReceive() {
            return this == SEND || this == WRITE_IMM;
        }

        boolean isAtomic() {
            return this == FETCH_ADD || this == COMPARE_SWAP;
        }
    }

    /** The faults of links. */
    enum Fault {
        LOSS, BURST, DUPLICATE, REORDER, CORRUPT, DELAY, JITTER, BANDWIDTH, MTU, PERFECT
    }

    /**
     * Posts a request.
     *
     * @param flow the number of the flow
     * @param kind the kind of request
     * @param length the length in bytes
     * @param place selects the offset in the target, modulo what the length allows
     * @param flags {@link #SIGNALED} and the other flags
     */
    record Post(int flow, Kind kind, int length, int place, int flags) implements Step {}

    int SIGNALED = 1;
    int IMMEDIATE = 2;
    int FENCE = 4;
    int SOLICITED = 8;
    /** An invalid rkey, or for datagrams a wrong Q_Key. */
    int WRONG_KEY = 16;
    /** An invalid lkey: the sender cannot access its own memory. */
    int WRONG_LKEY = 32;
    /** On a reliable connection: READs and WRITEs use a memory window, and a SEND invalidates one. */
    int WINDOW = 64;

    /** Posts receive requests with a buffer of {@code capacity} bytes each. */
    record Receive(int flow, int count, int capacity) implements Step {}

    /** Sets a fault of the link, in both directions (0) or one (1, 2). */
    record Change(Fault fault, int direction, double probability, int amount) implements Step {}

    /** Cuts the link in both directions (0) or one (1, 2). */
    record Cut(int direction) implements Step {}

    /** Ends all cuts. */
    record Heal() implements Step {}

    /** Advances the time. */
    record Advance(int nanos) implements Step {}
}
