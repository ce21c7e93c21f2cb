package io.jverbs.soft.queue;

import java.util.concurrent.locks.LockSupport;

/**
 * Yields, or parks a thread for a short time, so that another one runs that must make progress. A virtual thread that
 * only yields can return to its carrier before threads that wait in other queues of the scheduler, again and again.
 */
final class ShortPark {

    private ShortPark() {}

    /** Yields as {@link Thread#yield} does. */
    static void yield() {
        try {
            Thread.yield();
        } catch (OutOfMemoryError e) {
            // a virtual thread needs memory to be unmounted; the caller may hold locks, and tries again
            Thread.onSpinWait();
        }
    }

    /**
     * Parks, also if the thread is interrupted or has a permit to return immediately. The interrupt stays, and the
     * permit too: the thread may have been interrupted or unparked for something that it waits for afterwards.
     *
     * @param nanos how long, in nanoseconds
     */
    static void park(long nanos) {
        boolean interrupted = Thread.interrupted();
        try {
            // uses up the permit
            LockSupport.parkNanos(1);
            LockSupport.parkNanos(nanos);
        } catch (OutOfMemoryError e) {
            // a virtual thread needs memory to park; the caller tries again
            Thread.onSpinWait();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            } else {
                LockSupport.unpark(Thread.currentThread());
            }
        }
    }
}
