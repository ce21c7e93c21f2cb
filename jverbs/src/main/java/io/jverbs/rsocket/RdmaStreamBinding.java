package io.jverbs.rsocket;

import io.jverbs.RdmaContext;
import io.jverbs.VerbsException;
import io.jverbs.cm.CmId;
import io.jverbs.rsocket.journal.AddressText;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A local address and port that a stream will connect from; see rbind in rsocket(7). The port is reserved until this
 * object is closed or, if a stream has begun to connect from it, until that is closed. Thread-safe.
 */
public final class RdmaStreamBinding implements AutoCloseable {
    private final StreamDevice device;
    private final CmId id;
    private final InetSocketAddress localAddress;
    /** Guards the fields below. */
    private final ReentrantLock lock = new ReentrantLock();
    private volatile State state = State.BOUND;
    /** The connection that has taken over the ID and the use of the device; null if there is none. */
    private StreamConnection connection;

    /**
     * Who has the port.
     * <pre>
     * state    beginConnect  beginConnect fails  close    the port is freed
     * BOUND    PASSED        FREEING             FREEING  -
     * PASSED   -             -                   -        -
     * FREEING  -             -                   FREEING  CLOSED
     * CLOSED   -             -                   -        -
     * </pre>
     */
    private enum State {
        BOUND,
        /** A stream has it. */
        PASSED,
        /** Nobody will use it. After a failure of the call that frees it, the next close does what is left. */
        FREEING,
        CLOSED
    }

    private RdmaStreamBinding(StreamDevice device, CmId id) {
        this.device = device;
        this.id = id;
        this.localAddress = id.localAddress();
    }

    /**
     * Reserves a port.
     *
     * @param context the context of the device
     * @param address an address of the device, or a wildcard address, and a port; port 0 for any free port
     * @return the binding
     * @throws VerbsException with the errnos of {@link CmId#bind}; if the resources of the device do not suffice, or it
     *         has no connection manager; with EOPNOTSUPP if the transport is iWARP
     * @throws IllegalStateException if the context is closed
     */
    public static RdmaStreamBinding bind(RdmaContext context, InetSocketAddress address) {
        Objects.requireNonNull(context, "context");
        Objects.requireNonNull(address, "address");
        StreamDevice device = StreamDevice.acquire(context);
        CmId id = null;
        RdmaStreamBinding made = null;
        try {
            id = StreamClient.bind(device, address);
            made = new RdmaStreamBinding(device, id);
            return made;
        } finally {
            if (made == null) {
                StreamClient.release(device, id);
            }
        }
    }

    /** {@return the address and the port that is reserved} */
    public InetSocketAddress localAddress() {
        return localAddress;
    }

    /**
     * Begins to connect from this address, and does not wait; see {@link RdmaStream#beginConnect(RdmaContext,
     * InetSocketAddress, RdmaStreamOptions)}. The port belongs to the stream from now on. If this method throws, the
     * port is freed.
     *
     * @param address the address and port of the listener
     * @param options the options
     * @return the stream
     * @throws VerbsException if the resources of the device do not suffice; with EINVAL if the addresses are of
     *         different families
     * @throws IllegalStateException if this object is closed or was used, or the context is closed
     */
    public RdmaStream beginConnect(InetSocketAddress address, RdmaStreamOptions options) {
        Objects.requireNonNull(address, "address");
        Objects.requireNonNull(options, "options");
        lock.lock();
        try {
            if (state != State.BOUND) {
                throw new IllegalStateException(this + " cannot be used: bind again");
            }
            state = State.FREEING;
            try {
                connection = StreamConnection.ofClient(device, options, address, id);
                RdmaStream stream = StreamClient.start(connection, null);
                state = State.PASSED;
                return stream;
            } finally {
                if (state == State.FREEING) {
                    free();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Frees the port, unless a stream has it. A second call has no effect, unless a failure has ended the first one:
     * then it does what is left.
     */
    @Override
    public void close() {
        lock.lock();
        try {
            if (state == State.BOUND || state == State.FREEING) {
                state = State.FREEING;
                free();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Closes the ID and ends the use of the device, or closes the stream that has them; the lock is held. */
    private void free() {
        assert lock.isHeldByCurrentThread();
        StreamClient.end(device, id, connection);
        state = State.CLOSED;
    }

    @Override
    public String toString() {
        return "binding to " + AddressText.of(localAddress) + " (" + state + ")";
    }
}
