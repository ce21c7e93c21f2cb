package io.jverbs.soft.queue;

import java.util.concurrent.locks.LockSupport;

/**
 * Parks a thread for a short time, so that another one runs that must make progress. A virtual thread that only yields
 * can return to its carrier before threads that wait in other queues of the scheduler, again and again.
 */
final class ShortPark {

    private ShortPark() {}

    /**
     * Parks, also if the thread is interrupted, and keeps its interrupt.
     *
     * @param nanos how long, in nanoseconds
     */
    static void park(long nanos) {
        boolean interrupted = Thread.interrupted();
        if (interrupted) {
            // the interrupt also lets one call return immediately
            LockSupport.parkNanos(1);
        }
        LockSupport.parkNanos(nanos);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
