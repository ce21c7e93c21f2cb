package io.jverbs.strict;

import io.jverbs.strict.tracking.Payload;
import io.jverbs.strict.tracking.Windows;
import io.jverbs.strict.tracking.WritableRanges;

/**
 * A send request that was posted and whose completion, or that of a later request, has not been polled.
 *
 * @param completes whether it generates a completion if it succeeds
 * @param payload the data that it sends, as posted; null if it is not watched
 * @param place where it was posted; null if the payload is not watched
 * @param sinks where the device writes the data that it fetches, or null
 * @param claimed the receive queue whose request it takes, or null
 * @param window the change that it makes to a memory window, or null
 */
record Request(long wrId, boolean completes, Payload payload, StackTraceElement place, WritableRanges sinks,
        ReceiveCount claimed, Windows.Change window) {

    /** Records whether it was executed. */
    void settle(boolean success) {
        if (window != null) {
            window.settle(success);
        }
    }

    /** Records that the device no longer accesses its memory. */
    void end() {
        if (payload != null) {
            payload.end();
        }
        if (sinks != null) {
            sinks.end();
        }
    }
}
