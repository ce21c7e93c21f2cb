package io.jverbs.soft.fabric.udp;

import io.jverbs.soft.fabric.udp.socket.Datagrams;
import io.jverbs.soft.fabric.udp.socket.SocketPoller;
import io.jverbs.soft.queue.SpinLock;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/**
 * Blocks a thread until the sockets of a device have packets, and wakes it. The thread is the holder of the
 * {@link ReceiverRole}. Methods need the engine's lock where they say so.
 */
final class SocketWait {
    private final SpinLock lock;
    private final ReceiverRole role;
    private final Dispatcher dispatcher;
    /** Null before the engine starts and after it ends. Guarded by the lock. */
    private SocketPoller poller;
    /** The sockets are closed. Guarded by the lock. */
    private boolean ended;
    /** Changed with the lock held, except to and from ASLEEP. */
    private volatile RegistrationState state = RegistrationState.UNREGISTERED;

    SocketWait(SpinLock lock, ReceiverRole role, Dispatcher dispatcher) {
        this.lock = lock;
        this.role = role;
        this.dispatcher = dispatcher;
    }

    /** Sets the poller, in which the sockets are registered; null for none. */
    void poller(SocketPoller changed) {
        lock.lock();
        poller = changed;
        state = changed == null ? RegistrationState.UNREGISTERED : RegistrationState.REGISTERED;
        lock.unlock();
    }

    /** Returns whether there is a poller. The lock is held. */
    boolean isOpen() {
        assert lock.isHeldByCurrentThread();
        return poller != null;
    }

    /** Registers a new socket if the others are registered. The lock is held. */
    void added(Datagrams socket) throws IOException {
        assert lock.isHeldByCurrentThread();
        if (state != RegistrationState.UNREGISTERED) {
            poller.add(socket);
        }
    }

    /**
     * Blocks until a packet can be received, {@link #wake} is called, or the time is over. The calling thread is the
     * holder of the role.
     *
     * @param millis how long to block at most; 0 for no limit
     * @param isIdle whether to block, evaluated when calls of {@link #wake} have an effect already
     */
    void block(int millis, BooleanSupplier isIdle) throws IOException {
        assert role.isMine();
        SocketPoller used = register(true);
        state = RegistrationState.ASLEEP;
        try {
            if (used != null && isIdle.getAsBoolean()) {
                used.await(millis);
            }
        } finally {
            state = RegistrationState.REGISTERED;
        }
    }

    /** Registers the sockets, or ends that, and returns the poller. The calling thread is the holder of the role. */
    private SocketPoller register(boolean registered) throws IOException {
        lock.lock();
        try {
            if (ended) {
                return null;
            }
            if (poller != null && (state != RegistrationState.UNREGISTERED) != registered) {
                // in case the loop fails half way
                state = RegistrationState.UNREGISTERED;
                for (int i = 0; i < dispatcher.count(); i++) {
                    if (registered) {
                        poller.add(dispatcher.socket(i));
                    } else {
                        poller.remove(dispatcher.socket(i));
                    }
                }
                state = registered ? RegistrationState.REGISTERED : RegistrationState.UNREGISTERED;
            }
            return poller;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the registration of the sockets, unless another thread is the holder of the role. */
    void unregister() throws IOException {
        if (state != RegistrationState.UNREGISTERED && role.take()) {
            try {
                register(false);
            } finally {
                role.give();
            }
        }
    }

    /** Wakes the thread that blocks, unless it is the calling thread. Takes the lock if there is one. */
    void wakeOther() {
        if (state == RegistrationState.ASLEEP && !role.isMine()) {
            lock.lock();
            try {
                wake();
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * Wakes the thread that blocks, if there is one. A thread that is about to block notices new work by itself.
     * Called with the lock held, also after a socket was closed: a selector closes the file of a closed channel when
     * it selects again.
     */
    void wake() {
        assert lock.isHeldByCurrentThread();
        if (state == RegistrationState.ASLEEP && poller != null) {
            poller.wakeup();
        }
    }

    /** Makes blocking calls return from now on. The lock is held. */
    void end() throws IOException {
        assert lock.isHeldByCurrentThread();
        ended = true;
        if (poller != null) {
            poller.end();
        }
    }

    /**
     * Closes the poller. The lock is held, and the calling thread is the holder of the role, so that no thread blocks
     * in the poller or wakes one that does. The call can be repeated after an Error.
     */
    void closePoller() throws IOException {
        assert lock.isHeldByCurrentThread() && role.isMine();
        if (poller != null) {
            poller.close();
            poller = null;
        }
    }
}
