package io.jverbs.soft.queue;

/**
 * Lets another thread of the system have the processor, for example one that was preempted while it held a lock.
 * {@link Thread#yield} does this only for platform threads: a virtual thread leaves its carrier to another virtual
 * thread, and may be kept from returning. Java has no call for it, so the sockets of Linux's C library provide one.
 * Thread-safe.
 */
public final class ProcessorYield {
    /**
     * For how long a virtual thread that waits for a lock lets others have the processor at most, plus one call: each
     * call may last as long as the other threads of the processor run.
     */
    public static final long MAX_NANOS = 2_000_000;

    /** Null until a call is provided. */
    private static volatile Runnable provided;

    private ProcessorYield() {}

    /**
     * Provides the call of the system.
     *
     * @param call the call, which any thread may make at any time, also with locks held; it must have been made once,
     *        so that its code is linked; null for none
     * @return what was provided before; null for none
     */
    public static Runnable provide(Runnable call) {
        Runnable before = provided;
        provided = call;
        return before;
    }

    /**
     * Lets another thread of the system have the processor. A virtual thread keeps its carrier.
     *
     * @return whether the call is provided; if not, this method has no effect
     */
    public static boolean yieldProcessor() {
        Runnable call = provided;
        if (call == null) {
            return false;
        }
        try {
            call.run();
        } catch (Throwable e) {
            // the first calls in a JVM need memory and stack; the caller may hold locks
            Thread.onSpinWait();
        }
        return true;
    }
}
