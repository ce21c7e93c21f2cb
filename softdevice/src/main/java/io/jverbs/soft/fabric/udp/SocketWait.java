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
    /** Null before {@link #start} and after {@link #closePoller}. Guarded by the lock. */
    private SocketPoller poller;
    /** Changed with the lock held. */
    private volatile RegistrationState state = RegistrationState.NOT_STARTED;
    /** Whether the holder of the role blocks in the poller, or is about to. Changed by the holder. */
    private volatile boolean blocking;

    SocketWait(SpinLock lock, ReceiverRole role, Dispatcher dispatcher) {
        this.lock = lock;
        this.role = role;
        this.dispatcher = dispatcher;
    }

    /** Sets the poller, in which the sockets are registered. */
    void start(SocketPoller opened) {
        lock.lock();
        poller = opened;
        if (state != RegistrationState.ENDED) {
            state = RegistrationState.REGISTERED;
        }
        lock.unlock();
    }

    /** Undoes {@link #start}. */
    void startFailed() {
        lock.lock();
        poller = null;
        if (state != RegistrationState.ENDED) {
            state = RegistrationState.NOT_STARTED;
        }
        lock.unlock();
    }

    /** Returns whether threads can block. The lock is held. */
    boolean isOpen() {
        assert lock.isHeldByCurrentThread();
        return state == RegistrationState.REGISTERED || state == RegistrationState.UNREGISTERED;
    }

    /** Registers a new socket if the others are registered. The lock is held. */
    void added(Datagrams socket) throws IOException {
        assert lock.isHeldByCurrentThread();
        if (state == RegistrationState.REGISTERED) {
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
        SocketPoller used = register(RegistrationState.REGISTERED);
        if (used == null) {
            return;
        }
        blocking = true;
        try {
            if (isIdle.getAsBoolean()) {
                used.await(millis);
            }
        } finally {
            blocking = false;
        }
    }

    /**
     * Registers the sockets, or ends that, and returns the poller; null if threads cannot block. The calling thread is
     * the holder of the role.
     */
    private SocketPoller register(RegistrationState next) throws IOException {
        lock.lock();
        try {
            if (!isOpen()) {
                return null;
            }
            if (state != next) {
                // in case the loop fails half way
                state = RegistrationState.UNREGISTERED;
                for (int i = 0; i < dispatcher.count(); i++) {
                    if (next == RegistrationState.REGISTERED) {
                        poller.add(dispatcher.socket(i));
                    } else {
                        poller.remove(dispatcher.socket(i));
                    }
                }
                state = next;
            }
            return poller;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the registration of the sockets, unless another thread is the holder of the role. */
    void unregister() throws IOException {
        if (state == RegistrationState.REGISTERED && role.take()) {
            try {
                register(RegistrationState.UNREGISTERED);
            } finally {
                role.give();
            }
        }
    }

    /** Wakes the thread that blocks, unless it is the calling thread. Takes the lock only if a thread blocks. */
    void wakeOther() {
        if (blocking && !role.isMine()) {
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
        if (blocking && poller != null) {
            poller.wakeup();
        }
    }

    /** Makes blocking calls return from now on: the sockets are closed. The lock is held. */
    void end() throws IOException {
        assert lock.isHeldByCurrentThread();
        state = RegistrationState.ENDED;
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
