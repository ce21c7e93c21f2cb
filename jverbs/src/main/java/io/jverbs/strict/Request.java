package io.jverbs.strict;

/**
 * A request that was posted and has not completed as far as the program knows.
 *
 * @param completes whether its success is seen
 * @param payload what it sends, as it was; null if that is not watched
 * @param claimed where it counts on a receive, or null
 * @param window what it makes of a memory window, or null
 */
record Request(long wrId, boolean completes, Payload payload, ReceiveCount claimed, Windows.Change window) {

    /** Notes whether it was carried out. */
    void settle(boolean success) {
        if (window != null) {
            window.settle(success);
        }
    }
}
