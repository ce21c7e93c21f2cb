package io.jverbs.strict;

/**
 * A request that was posted and has not completed as far as the program knows.
 *
 * @param completes whether its success is seen
 * @param payload what it sends, as it was; null if that is not watched
 * @param sinks where the device puts what it fetches, or null
 * @param claimed where it counts on a receive, or null
 * @param window what it makes of a memory window, or null
 */
record Request(long wrId, boolean completes, Payload payload, Sinks sinks, ReceiveCount claimed,
        Windows.Change window) {

    /** Notes whether it was carried out. */
    void settle(boolean success) {
        if (window != null) {
            window.settle(success);
        }
    }

    /** The device has nothing to do with its memory any more. */
    void end() {
        if (payload != null) {
            payload.end();
        }
        if (sinks != null) {
            sinks.end();
        }
    }
}
