package io.jverbs.soft.fabric;

/**
 * The wait of a network that has no thread of its own: threads that wait for an event run what is scheduled. A wait
 * times out when its time has passed both in real time, during which other threads may act, and by the network's clock.
 *
 * @param steps the scheduled events of the network
 */
public record SteppedWait(Steps steps) implements EventWait {
    /** The longest time a waiting thread parks before it checks again whether the network has work due. */
    private static final long CHECK_INTERVAL_NANOS = 1_000_000;

    /** The scheduled events of a network and its clock. Callers hold no lock. */
    public interface Steps {

        /**
         * {@return a time on the network's clock}
         *
         * @param nanos how many nanoseconds from now, not negative
         */
        long deadline(long nanos);

        /**
         * Runs the next scheduled event.
         *
         * @param deadline the latest time for which the event may be scheduled
         * @return false if no event is scheduled up to the deadline
         */
        boolean step(long deadline);

        /**
         * Advances the clock to the deadline of a wait that timed out.
         *
         * @param deadline the deadline
         * @return false if an event is scheduled up to the deadline after all
         */
        boolean elapsed(long deadline);
    }

    /** Waits; a time of 0 performs at most one step of the network. */
    @Override
    public <E> E await(WaitQueue<E> queue, long nanos) throws InterruptedException {
        long start = System.nanoTime();
        long deadline = steps.deadline(nanos);
        E event = queue.awaitKeepingWake(0);
        if (nanos == 0 && event == null) {
            // like a poll of an empty completion queue
            steps.step(Long.MAX_VALUE);
            return queue.await(0);
        }
        while (event == null && !queue.takeWake()) {
            long left = nanos - (System.nanoTime() - start);
            if (steps.step(deadline)) {
                event = queue.awaitKeepingWake(0);
            } else if (left > 0) {
                // another thread may be about to post or send
                event = queue.awaitKeepingWake(Math.min(left, CHECK_INTERVAL_NANOS));
            } else if (steps.elapsed(deadline)) {
                return queue.await(0);
            }
        }
        return event;
    }
}
