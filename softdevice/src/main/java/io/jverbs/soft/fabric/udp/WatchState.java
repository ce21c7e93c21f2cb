package io.jverbs.soft.fabric.udp;

/**
 * Whether the sockets of a {@link ReceiveEngine} are in the watch, in which its thread sleeps. There each packet costs
 * its sender a fraction of a microsecond more, so they are in it only while the thread may sleep. The thread changes
 * it.
 * <pre>
 * state      polls are frequent, or packets arrive steadily    nothing to receive    woken
 * UNWATCHED  -                                                 ASLEEP                -
 * WATCHED    UNWATCHED                                         ASLEEP                -
 * ASLEEP     -                                                 -                     WATCHED
 * </pre>
 * In ASLEEP, the thread sleeps or is about to. The other flags are signals of other threads, or of a poll for the
 * next one; they are independent of this state.
 */
enum WatchState {
    UNWATCHED, WATCHED, ASLEEP
}
