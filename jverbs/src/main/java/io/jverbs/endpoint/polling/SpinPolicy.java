package io.jverbs.endpoint.polling;

/**
 * Decides whether a thread polls before it blocks. If polls have not reached what it waits for within their time,
 * the next wait blocks at once, and after each further such spin twice as many do. A peer that needs the processor
 * of this thread gets it then, and if the peer takes long anyway, other programs do. This ends when a
 * spin reaches it, or when it is there before the wait. Not thread-safe.
 */
public final class SpinPolicy {
    /** The largest number of waits that do not poll after a spin that has not reached what the thread waits for. */
    static final int MAX_WAITS_WITHOUT_SPIN = 64;
    private static final boolean HAS_ONE_PROCESSOR = Runtime.getRuntime().availableProcessors() == 1;
    private static final long DEFAULT_NANOS = 50_000;

    /** How many of the next waits do not poll. */
    private int waitsWithoutSpin;
    /** How many waits do not poll after the next such spin. */
    private int next = 1;

    /** Creates a policy whose first wait polls. */
    public SpinPolicy() {
        // nothing else to initialize
    }

    /** {@return whether a wait that begins polls first} */
    public boolean mustSpin() {
        if (waitsWithoutSpin > 0) {
            waitsWithoutSpin--;
            return false;
        }
        return true;
    }

    /**
     * Records the end of a spin, or of a wait that needed none.
     *
     * @param reached whether what the thread waits for was reached within the time
     */
    public void spun(boolean reached) {
        if (reached) {
            next = 1;
            waitsWithoutSpin = 0;
        } else {
            waitsWithoutSpin = next;
            next = Math.min(2 * next, MAX_WAITS_WITHOUT_SPIN);
        }
    }

    /**
     * {@return how long a thread polls by default, in nanoseconds} With one processor this is 0, because the peer may
     * need it.
     */
    public static long defaultNanos() {
        return HAS_ONE_PROCESSOR ? 0 : DEFAULT_NANOS;
    }

    /** Called between two polls. With one processor, the next one finds something only if others have run. */
    public static void pause() {
        if (HAS_ONE_PROCESSOR) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
    }
}
