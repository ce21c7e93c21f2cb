package io.jverbs.rsocket;

/**
 * Decides whether a thread that waits polls before it blocks. After polls that have not reached what it waits for
 * within their time, the next wait blocks at once, and after each further one twice as many do, at most {@link
 * #MAX_SKIPS}: the peer may need the processor. Wrong values after a race between threads only cost time, so there is
 * no lock.
 */
final class SpinPolicy {
    private static final int MAX_SKIPS = 64;

    private int skips;
    private int next = 1;

    /** Returns whether a wait that begins polls first. */
    boolean mustSpin() {
        if (skips > 0) {
            skips--;
            return false;
        }
        return true;
    }

    /** Notes whether polls have reached what the thread waits for within their time. */
    void spun(boolean reached) {
        if (reached) {
            next = 1;
        } else {
            skips = next;
            next = Math.min(2 * next, MAX_SKIPS);
        }
    }
}
