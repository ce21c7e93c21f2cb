package io.jverbs.soft.fabric.udp;

import io.jverbs.soft.fabric.udp.socket.SocketPoller;

/**
 * Whether the sockets of a {@link ReceiveEngine} are registered with its {@link SocketPoller}, in which a thread
 * blocks. A packet for a registered socket costs its sender a fraction of a microsecond more, so the sockets are
 * registered only while a thread may block. The holder of the {@link ReceiverRole} changes the state.
 * <pre>
 * state         polls are frequent, or packets arrive steadily    nothing to receive    woken
 * UNREGISTERED  -                                                 ASLEEP                -
 * REGISTERED    UNREGISTERED                                      ASLEEP                -
 * ASLEEP        -                                                 -                     REGISTERED
 * </pre>
 * In ASLEEP, a thread blocks or is about to.
 */
enum RegistrationState {
    UNREGISTERED, REGISTERED, ASLEEP
}
