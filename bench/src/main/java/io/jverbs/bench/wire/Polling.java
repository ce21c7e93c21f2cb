package io.jverbs.bench.wire;

/** What a process that polls does when it has received nothing. */
enum Polling {
    /** It polls again. */
    SPINS,
    /** It yields the processor first, so that the other process can run on it. */
    YIELDS;

    /** Called after a poll that has received nothing. */
    void receivedNothing() {
        if (this == YIELDS) {
            Thread.yield();
        }
    }
}
