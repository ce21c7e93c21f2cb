package io.jverbs.soft.fabric.udp;

/**
 * Decides whether the leader of the threads that wait receives for a short time before it blocks: it spins, if packets
 * arrived within such a time in earlier waits. Not thread-safe.
 */
final class SpinPolicy {
    /** The largest number of waits that do not spin after one in which nothing arrived in time. */
    static final int MAX_WAITS_WITHOUT_SPIN = 64;

    /** With one processor, no packet arrives while a thread spins. */
    private final boolean maySpin;
    /** How many of the next waits do not spin. */
    private int waitsWithoutSpin;
    /** The same after the next wait that spins and finds nothing. */
    private int nextWaitsWithoutSpin = 1;

    /** Creates the policy of a machine with so many processors. */
    SpinPolicy(int processors) {
        maySpin = processors > 1;
    }

    /** Returns whether the wait that begins spins before it blocks. */
    boolean mustSpin() {
        if (waitsWithoutSpin > 0) {
            waitsWithoutSpin--;
            return false;
        }
        return maySpin;
    }

    /** Notes that an event has come while the wait was spinning. */
    void found() {
        nextWaitsWithoutSpin = 1;
    }

    /** Notes that no event has come while the wait was spinning. */
    void foundNothing() {
        waitsWithoutSpin = nextWaitsWithoutSpin;
        nextWaitsWithoutSpin = Math.min(2 * nextWaitsWithoutSpin, MAX_WAITS_WITHOUT_SPIN);
    }
}
