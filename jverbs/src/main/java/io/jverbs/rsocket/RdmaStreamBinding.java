package io.jverbs.rsocket;

import io.jverbs.RdmaContext;
import io.jverbs.VerbsException;
import io.jverbs.cm.CmId;
import io.jverbs.rsocket.journal.AddressText;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A local address and port that a stream will connect from; see rbind in rsocket(7). The port is reserved until this
 * object is closed or, if a stream has begun to connect from it, until that is closed. Thread-safe.
 */
public final class RdmaStreamBinding implements AutoCloseable {
    private final StreamDevice device;
    private final CmId id;
    private final InetSocketAddress localAddress;
    private final AtomicReference<State> state = new AtomicReference<>(State.BOUND);

    /**
     * Who has the port.
     * <pre>
     * state   beginConnect  close
     * BOUND   PASSED        CLOSED
     * PASSED  -             -
     * CLOSED  -             -
     * </pre>
     */
    private enum State {
        BOUND,
        /** A stream has it. */
        PASSED,
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
     * InetSocketAddress, RdmaStreamOptions)}. The port belongs to the stream from now on, also if this method throws.
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
        if (!state.compareAndSet(State.BOUND, State.PASSED)) {
            throw new IllegalStateException(this + " cannot be used: bind again");
        }
        return StreamClient.begin(device, id, address, options);
    }

    /** Frees the port, unless a stream has it. A second call has no effect. */
    @Override
    public void close() {
        if (state.compareAndSet(State.BOUND, State.CLOSED)) {
            StreamClient.release(device, id);
        }
    }

    @Override
    public String toString() {
        return "binding to " + AddressText.of(localAddress) + " (" + state + ")";
    }
}
