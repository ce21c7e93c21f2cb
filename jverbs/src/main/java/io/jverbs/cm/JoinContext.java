package io.jverbs.cm;

/**
 * A membership in a multicast group: what the device returns in the event of a join, and when the group is left.
 */
final class JoinContext {
    private final boolean sendOnly;
    private final Object context;
    /** Whether the group was left. */
    volatile boolean isLeft;

    /**
     * Creates a membership.
     *
     * @param sendOnly whether the ID only sends to the group, so that its queue pair is not attached
     * @param context the context of the program
     */
    JoinContext(boolean sendOnly, Object context) {
        this.sendOnly = sendOnly;
        this.context = context;
    }

    boolean sendOnly() {
        return sendOnly;
    }

    Object context() {
        return context;
    }
}
