package io.jverbs.soft.fabric;

/**
 * How threads of the program wait for an event of a queue. A fabric chooses it: where the threads that wait can make
 * the network progress, they do.
 */
public interface EventWait {
    /** Threads park until another thread adds an event. */
    EventWait PARKING = new EventWait() {
        @Override
        public <E> E await(WaitQueue<E> queue, long nanos) throws InterruptedException {
            return queue.await(nanos);
        }
    };

    /**
     * Waits for an event and removes it from its queue.
     *
     * @param <E> the type of the events
     * @param queue the queue
     * @param nanos how long to wait at most; 0 does not wait
     * @return the event; null on timeout, if the queue is closed, or if {@link WaitQueue#wake} was called
     * @throws InterruptedException if the thread is interrupted
     */
    <E> E await(WaitQueue<E> queue, long nanos) throws InterruptedException;
}
