package io.jverbs.cm;

/**
 * What the device returns in the event of a join.
 *
 * @param sendOnly whether the ID only sends to the group, so that its queue pair is not attached
 * @param context the context of the program
 */
record JoinContext(boolean sendOnly, Object context) {}
