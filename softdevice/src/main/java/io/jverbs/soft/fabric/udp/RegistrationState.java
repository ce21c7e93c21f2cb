package io.jverbs.soft.fabric.udp;

import io.jverbs.soft.fabric.udp.socket.SocketPoller;

/**
 * Whether the sockets of a {@link ReceiveEngine} are registered with its {@link SocketPoller}, in which a thread
 * blocks. A packet for a registered socket costs its sender a fraction of a microsecond more, so the sockets are
 * registered only while a thread may block. The columns are methods of {@link SocketWait}.
 * <pre>
 * state         start       startFailed  block       unregister    end    closePoller
 * NOT_STARTED   REGISTERED  -            -           -             ENDED  -
 * REGISTERED    -           NOT_STARTED  -           UNREGISTERED  ENDED  -
 * UNREGISTERED  -           -            REGISTERED  -             ENDED  -
 * ENDED         -           -            -           -             -      -
 * </pre>
 * The holder of the {@link ReceiverRole} calls {@code block}, which blocks only in REGISTERED. A thread that blocks
 * when {@code end} is called returns. {@code closePoller} follows {@code end}.
 */
enum RegistrationState {
    /** There is no poller. */
    NOT_STARTED,
    REGISTERED,
    UNREGISTERED,
    /** The sockets are closed. The device's thread closes the poller when no thread blocks any more. */
    ENDED
}
