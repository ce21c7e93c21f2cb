package io.jverbs.control;

/**
 * Loses or delays messages of the connection manager that arrive at a device, for any context. A message from the same
 * JVM arrives like one from the network. Thread-safe.
 */
public interface CmMessageFaults {
    /** The result of a filter that loses the message. */
    long LOSE = -1;

    /** Decides what happens to a message. */
    @FunctionalInterface
    interface Filter {
        /**
         * Decides what happens to a message. The thread that delivers it calls this: it must not block and must not
         * call verbs.
         *
         * @param message the message
         * @return 0 to deliver it, {@link #LOSE} to lose it, or by how many nanoseconds to delay it
         */
        long delayNanos(CmMessage message);
    }

    /**
     * Adds a filter. A message is lost if any filter says so, and otherwise delayed by the longest time of a filter. A
     * filter that is added several times sees each message once, and must be removed as often.
     *
     * @param filter the filter
     */
    void add(Filter filter);

    /**
     * Removes a filter. No effect if it was not added.
     *
     * @param filter the filter
     */
    void remove(Filter filter);
}
