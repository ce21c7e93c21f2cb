package io.jverbs.soft.fabric.udp;

/**
 * Whether the sockets of a {@link ReceiveEngine} are registered with its {@link SocketPoller}, in which its thread
 * sleeps. A packet for a registered socket costs its sender a fraction of a microsecond more, so the sockets are
 * registered only while the thread may sleep. The thread changes the state.
 * <pre>
 * state         polls are frequent, or packets arrive steadily    nothing to receive    woken
 * UNREGISTERED  -                                                 ASLEEP                -
 * REGISTERED    UNREGISTERED                                      ASLEEP                -
 * ASLEEP        -                                                 -                     REGISTERED
 * </pre>
 * In ASLEEP, the thread sleeps or is about to. The other flags are signals of other threads, or of a poll for the
 * next one; they are independent of this state.
 */
enum RegistrationState {
    UNREGISTERED, REGISTERED, ASLEEP
}
