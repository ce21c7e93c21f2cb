package io.jverbs.rsocket.polling;

/**
 * Decides whether a thread that waits polls before it blocks. Polls that do not reach what it waits for within their
 * time cost far more than a thread gains that need not be woken, so they pay only if at most about one of {@link
 * #SUCCESSES} waits is longer. After such polls, the next wait blocks at once, and after each further ones twice as
 * many do, at most {@link #MAX_SKIPS}: the peer may need the processor. After {@link #SUCCESSES} polls that have
 * reached it, the number is halved. Wrong values after a race between threads only cost time, so there is no lock.
 */
public final class SpinPolicy {
    static final int MAX_SKIPS = 64;
    static final int SUCCESSES = 16;

    /** How many of the next waits do not poll. */
    private int skips;
    /** How many waits do not poll after the next polls that have not reached what the thread waits for. */
    private int next = 1;
    private int successes;

    /** Creates a policy whose first wait polls. */
    public SpinPolicy() {
        // nothing else to initialize
    }

    /** {@return whether a wait that begins polls first} */
    public boolean mustSpin() {
        if (skips > 0) {
            skips--;
            return false;
        }
        return true;
    }

    /**
     * Notes the end of polls.
     *
     * @param reached whether they have reached what the thread waits for within their time
     */
    public void spun(boolean reached) {
        if (!reached) {
            skips = next;
            next = Math.min(2 * next, MAX_SKIPS);
            successes = 0;
        } else if (next > 1) {
            successes++;
            if (successes == SUCCESSES) {
                next /= 2;
                successes = 0;
            }
        }
    }
}
