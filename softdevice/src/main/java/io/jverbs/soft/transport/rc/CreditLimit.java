package io.jverbs.soft.transport.rc;

/**
 * The limit that the credits of a peer set to a requester: how many messages that take a receive request it may send.
 * All numbers count such messages since the connection was made, and wrap around. Guarded by the requester's lock.
 */
final class CreditLimit {
    /** Whether the peer states credits; otherwise there is no limit. */
    private boolean isStated;
    /** The number of messages that may be sent. */
    private int end;

    /** Whether the peer has stated credits, and not stated since that it has none to state. */
    boolean isStated() {
        return isStated;
    }

    /** Removes the limit. */
    void remove() {
        isStated = false;
    }

    /**
     * Whether a request is beyond the limit. A request that takes no receive request is beyond it if a message before
     * it is.
     *
     * @param before the number of messages that take a receive request before it
     * @param takesReceive whether it takes one, too
     */
    boolean isExceeded(int before, boolean takesReceive) {
        return isStated && before - end + (takesReceive ? 1 : 0) > 0;
    }

    /** Whether the limit permits exactly a number of messages. */
    boolean endsAfter(int messages) {
        return isStated && end == messages;
    }

    /** Lets the limit, if there is one, permit a number of messages, after which the peer has refused the next one. */
    void endAfter(int messages) {
        end = messages;
    }

    /**
     * Raises the limit, or sets the first one. It is not lowered, because credits that were stated remain valid.
     *
     * @return whether there was a limit, and it was raised
     */
    boolean raise(int messages) {
        boolean wasStated = isStated;
        if (wasStated && messages - end <= 0) {
            return false;
        }
        isStated = true;
        end = messages;
        return wasStated;
    }
}
