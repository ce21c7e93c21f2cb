package io.jverbs.cm;

import io.jverbs.AsyncEventType;
import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.VerbsException;
import io.jverbs.spi.CmEventData;
import io.jverbs.spi.CmIdOps;
import io.jverbs.spi.CmParameters;
import io.jverbs.spi.EventCounter;
import io.jverbs.spi.StackReserve;
import io.jverbs.spi.Waits;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;

/**
 * A communication identifier, {@code struct rdma_cm_id}: what a socket is for TCP. See rdma_create_id(3).
 *
 * <p>
 * A method begins a step, and an event of the ID's channel reports how the step ended. A server calls {@link #bind} and
 * {@link #listen}. For each {@link CmEventType#CONNECT_REQUEST}, it gets a new ID and calls {@link #createQueuePair}
 * and {@link #accept}, or {@link #reject}. A method that is called in a state in which it is not allowed throws {@link
 * VerbsException} with EINVAL; the message names the state and those that are allowed. A method that fails changes
 * nothing. This class is thread-safe. A client calls:
 *
 * {@snippet :
 * id.resolveAddress(new InetSocketAddress("192.0.2.7", 7471), Duration.ofSeconds(2));
 * id.channel().awaitEvent().close(); // ADDR_RESOLVED
 * id.resolveRoute(Duration.ofSeconds(2));
 * id.channel().awaitEvent().close(); // ROUTE_RESOLVED
 * id.createQueuePair(pd, attributes);
 * id.connect(ConnectionParameters.DEFAULT);
 * id.channel().awaitEvent().close(); // ESTABLISHED
 * }
 */
public final class CmId implements AutoCloseable {
    private static final int CONSUMER_DEFINED = 28;
    private static final int VENDOR_OPTION_NOT_SUPPORTED = 35;

    private final PortSpace portSpace;
    private final QpType qpType;
    private final EventCounter events = new EventCounter();
    /** The request that has created this ID, null if the program has; {@link #created} completes the creation. */
    private final CmEventData request;
    volatile CmEventChannel channel;
    private volatile CmIdOps ops;
    private final ConnectedQueuePair connected = new ConnectedQueuePair(this);
    private final CmIdOptions options = new CmIdOptions(this);
    private final CmIdResources resources = new CmIdResources(this);
    private final IdName name = new IdName(this);
    private volatile Object userContext;
    private volatile boolean closed;

    CmId(CmEventChannel channel, PortSpace portSpace, QpType qpType, CmEventData request) {
        this.channel = channel;
        this.portSpace = portSpace;
        this.qpType = qpType;
        this.request = request;
    }

    void created(CmIdOps made) {
        ops = made;
    }

    /** Creates the ID of a connect request. */
    CmId child(CmEventChannel retrievedFrom, CmEventData asked) {
        CmId child = new CmId(retrievedFrom, portSpace, qpType, asked);
        child.created(asked.id());
        child.userContext = userContext;
        asked.id().owner(child);
        return child;
    }

    EventCounter events() {
        return events;
    }

    CmIdOps operations() {
        StackReserve.check();
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
        return ops;
    }

    /** {@return the channel that gets the events of this ID} */
    public CmEventChannel channel() {
        return channel;
    }

    /** {@return the context whose device this ID uses} */
    public RdmaContext context() {
        return channel.context();
    }

    /** {@return the port space} */
    public PortSpace portSpace() {
        return portSpace;
    }

    /** {@return the type of the queue pair} */
    public QpType qpType() {
        return qpType;
    }

    /** {@return the object that the program has stored here, or null; a new ID has that of the listener} */
    public Object userContext() {
        return userContext;
    }

    /**
     * Stores an object of the program.
     *
     * @param context the object, or null
     */
    public void userContext(Object context) {
        userContext = context;
    }

    /** {@return the address and port that this ID is bound to, or null; see rdma_get_local_addr(3)} */
    public InetSocketAddress localAddress() {
        return name.local(operations());
    }

    /** {@return the address and port of the peer, or null; see rdma_get_peer_addr(3)} */
    public InetSocketAddress peerAddress() {
        return operations().route().remote();
    }

    /** {@return the port of the device, 0 if this ID is not bound to a device} */
    public int port() {
        return operations().route().port();
    }

    /** {@return the GID of the port, or null if the address is not resolved} */
    public Gid localGid() {
        return operations().route().localGid();
    }

    /** {@return the GID of the peer, or null if the address is not resolved} */
    public Gid peerGid() {
        return operations().route().remoteGid();
    }

    /**
     * Binds this ID to a local address; see rdma_bind_addr(3).
     *
     * @param address an address of the device, or a wildcard address, and a port; port 0 for any free port
     * @throws VerbsException with EADDRINUSE or EADDRNOTAVAIL if another ID of the port space has the port; with ENODEV
     *         if the device does not have the address; with EINVAL if this ID is bound or the address is not resolved
     */
    public void bind(InetSocketAddress address) {
        operations().bind(ResolvedAddress.of("bind_addr", "address", address));
    }

    /**
     * Resolves an address from any local one.
     *
     * @param destination the address and port of the peer
     * @param timeout the maximum time
     */
    public void resolveAddress(InetSocketAddress destination, Duration timeout) {
        resolveAddress(null, destination, timeout);
    }

    /**
     * Resolves an address; see rdma_resolve_addr(3). Reports {@link CmEventType#ADDR_RESOLVED} or {@link
     * CmEventType#ADDR_ERROR}.
     *
     * @param source the local address and port, to which this ID is bound if it is not bound; null for any
     * @param destination the address and port of the peer
     * @param timeout the maximum time
     * @throws VerbsException with EINVAL if the state does not allow it or the families differ; with the errnos of
     *         {@link #bind} if this ID cannot be bound to the source
     */
    public void resolveAddress(InetSocketAddress source, InetSocketAddress destination, Duration timeout) {
        InetSocketAddress from = source == null ? null : ResolvedAddress.of("resolve_addr", "source", source);
        InetSocketAddress to = ResolvedAddress.of("resolve_addr", "destination", destination);
        operations().resolveAddress(from, to, Waits.nanos(timeout));
    }

    /**
     * Resolves the route to the resolved address; see rdma_resolve_route(3). Reports {@link CmEventType#ROUTE_RESOLVED}
     * or {@link CmEventType#ROUTE_ERROR}.
     *
     * @param timeout the maximum time
     * @throws VerbsException with EINVAL if the state does not allow it or the timeout is 0
     */
    public void resolveRoute(Duration timeout) {
        long nanos = Waits.nanos(timeout);
        if (nanos == 0) {
            throw new VerbsException("resolve_route", Errno.EINVAL, "timeout is 0; it must be greater");
        }
        operations().resolveRoute(nanos);
    }

    /**
     * Creates the queue pair of this ID and moves it to INIT, a UD queue pair to RTS; see rdma_create_qp(3). {@link
     * #close} destroys it. Completion queues that the attributes do not have are created and destroyed with it, with
     * channels, for as many completions as it has requests; see {@link #resources}.
     *
     * @param pd the protection domain
     * @param attributes the attributes, of type {@link #qpType}; the default shared receive queue is that of this ID
     * @return the queue pair
     * @throws VerbsException with EINVAL if the ID has a queue pair, is not bound to a device, or has another type or
     *         context; with the errnos of {@link ProtectionDomain#createQueuePair}
     */
    public QueuePair createQueuePair(ProtectionDomain pd, QpInitAttributes attributes) {
        return connected.create(Objects.requireNonNull(pd, "pd"), Objects.requireNonNull(attributes, "attributes"));
    }

    /**
     * Creates the queue pair in the default protection domain, {@link CmIdResources#pd}; otherwise as {@link
     * #createQueuePair(ProtectionDomain, QpInitAttributes)}.
     *
     * @param attributes the attributes of the queue pair
     * @return the queue pair
     */
    public QueuePair createQueuePair(QpInitAttributes attributes) {
        return connected.create(null, Objects.requireNonNull(attributes, "attributes"));
    }

    /** {@return the protection domain, the completion queues and the shared receive queue of this ID} */
    public CmIdResources resources() {
        return resources;
    }

    /** {@return the queue pair of this ID, or null} */
    public QueuePair queuePair() {
        return connected.queuePair();
    }

    ConnectedQueuePair connected() {
        return connected;
    }

    /** Destroys the queue pair of this ID and the completion queues created with it; see rdma_destroy_qp(3). */
    public void destroyQueuePair() {
        StackReserve.check();
        connected.destroy();
    }

    /**
     * Listens; see rdma_listen(3). Reports a {@link CmEventType#CONNECT_REQUEST} for each peer.
     *
     * @param backlog the number of connect requests that may wait until they are retrieved; 0 or less means the
     *            maximum of the device
     * @throws VerbsException with EINVAL if the state does not allow it; with EADDRINUSE if another ID listens there
     */
    public void listen(int backlog) {
        operations().listen(backlog);
    }

    /**
     * Connects to the peer; for UD, asks for its queue pair. See rdma_connect(3). Reports {@link
     * CmEventType#ESTABLISHED}, {@link CmEventType#REJECTED}, {@link CmEventType#UNREACHABLE} or {@link
     * CmEventType#CONNECT_ERROR}; without a queue pair {@link CmEventType#CONNECT_RESPONSE} in place of the first.
     *
     * @param parameters the parameters
     * @throws VerbsException with EINVAL if the ID has no queue pair and the parameters name none, but not for UD; if
     *         the state does not allow it, the private data is too long, or a number is beyond the device's maximum
     */
    public void connect(ConnectionParameters parameters) {
        CmIdOps own = operations();
        own.connect(ParameterLimits.toConnect(this, Objects.requireNonNull(parameters, "parameters")));
    }

    /**
     * Accepts the connect request that has created this ID; see rdma_accept(3). The queue pair is moved to RTS. Reports
     * {@link CmEventType#ESTABLISHED} when the peer can send.
     *
     * @param parameters the parameters
     * @throws VerbsException with EINVAL if the ID has no queue pair and the parameters name none, the state does not
     *         allow it, the private data is too long, or a number is beyond the device's maximum; with EINVAL if the
     *         peer has given up meanwhile: the queue pair is then in ERR if it was moved
     */
    public void accept(ConnectionParameters parameters) {
        CmIdOps own = operations();
        Objects.requireNonNull(parameters, "parameters");
        connected.accept(own,
                ParameterLimits.toAccept(this, parameters, request == null ? null : request.parameters()));
    }

    /**
     * Rejects the connect request that has created this ID, or a connect response; see rdma_reject(3).
     *
     * @param privateData the private data that the peer gets, at most 148 bytes; for UD 136
     * @throws VerbsException with EINVAL if the state does not allow it, or the private data is too long
     */
    public void reject(ByteBuffer privateData) {
        operations().reject(CONSUMER_DEFINED, ConnectionParameters.bytes(privateData, "privateData"));
    }

    /**
     * Rejects because of the vendor's options; see rdma_reject_ece(3).
     *
     * @param privateData the private data that the peer gets
     * @throws VerbsException as {@link #reject}
     */
    public void rejectEce(ByteBuffer privateData) {
        operations().reject(VENDOR_OPTION_NOT_SUPPORTED, ConnectionParameters.bytes(privateData, "privateData"));
    }

    /**
     * Completes a connection after {@link CmEventType#CONNECT_RESPONSE}, for an ID without a queue pair; see
     * rdma_establish(3).
     *
     * @throws VerbsException with EINVAL if the ID has a queue pair or the state does not allow it
     */
    public void establish() {
        if (queuePair() != null) {
            throw new VerbsException("establish", Errno.EINVAL, this + " has a queue pair, allowed are IDs without"
                    + " one: the channel establishes the others");
        }
        operations().establish();
    }

    /**
     * Reports an asynchronous event of the queue pair; see rdma_notify(3). {@link AsyncEventType#COMM_EST} establishes
     * the connection before the peer's message has arrived.
     *
     * @param event the event
     * @throws VerbsException with EISCONN if the connection is established; with EINVAL for another event or state
     */
    public void notify(AsyncEventType event) {
        operations().notify(Objects.requireNonNull(event, "event").code());
    }

    /**
     * Ends the connection; see rdma_disconnect(3). The queue pair moves to ERR first, so its requests complete
     * with WR_FLUSH_ERR. Both sides get {@link CmEventType#DISCONNECTED}, if the connection was established.
     *
     * @throws VerbsException with EINVAL if there never was a connection
     */
    public void disconnect() {
        connected.disconnect(operations());
    }

    /**
     * Returns the attributes with which a queue pair of the program is moved to a state; see rdma_init_qp_attr(3).
     *
     * @param state INIT, RTR or RTS
     * @return the attributes
     * @throws VerbsException with EINVAL if the connection is not far enough, or for another state
     */
    public QpAttributes initQpAttributes(QpState state) {
        return operations().qpAttributes(Objects.requireNonNull(state, "state"));
    }

    /**
     * Joins a multicast group; see rdma_join_multicast_ex(3). Reports {@link CmEventType#MULTICAST_JOIN} or {@link
     * CmEventType#MULTICAST_ERROR}. The queue pair is attached to the group.
     *
     * @param group the address of the group, whose port is not used
     * @param sendOnly whether this ID only sends to the group
     * @param context is returned by {@link CmEvent#multicastContext}, may be null
     * @throws VerbsException with EINVAL if this is not a UD ID, it is not bound to a device, the route is resolved or
     *         the ID listens, or the address is not a multicast address
     */
    public void joinMulticast(InetSocketAddress group, boolean sendOnly, Object context) {
        InetSocketAddress address = ResolvedAddress.of("join_multicast", "group", group);
        operations().join(address, sendOnly, new JoinContext(sendOnly, context));
    }

    /**
     * Ends the latest membership in a multicast group; see rdma_leave_multicast(3). With the last one in which the ID
     * receives, the queue pair is detached. The event of the join is discarded, if it was not retrieved.
     *
     * @param group the address that was joined
     * @throws VerbsException with EADDRNOTAVAIL if this ID has not joined the group
     */
    public void leaveMulticast(InetSocketAddress group) {
        connected.left((JoinContext) operations().leave(ResolvedAddress.of("leave_multicast", "group", group)));
    }

    /**
     * Queues an event of type {@link CmEventType#USER} of this ID; see rdma_write_cm_event(3).
     *
     * @param status the status of the event
     * @param argument is returned by {@link CmEvent#userArgument}
     */
    public void postUserEvent(int status, long argument) {
        operations().postUserEvent(status, argument);
    }

    /** {@return the options of this ID; see rdma_set_option(3)} */
    public CmIdOptions options() {
        return options;
    }

    /**
     * Moves this ID, with its events that were not retrieved, to another channel of the context; see
     * rdma_migrate_id(3). Waits until its events that were retrieved are acknowledged.
     *
     * @param target the channel
     * @throws VerbsException with EINVAL if the channel belongs to another context; with EINTR if the thread is
     *         interrupted during the wait: the ID is moved then
     */
    public void migrate(CmEventChannel target) {
        CmIdOps own = operations();
        Objects.requireNonNull(target, "target").take(this, own);
        events.awaitMoved("migrate_id", "event", this);
    }

    /** {@return the number of events of this ID that were retrieved and not acknowledged} */
    public int unacknowledgedEvents() {
        return events.outstanding();
    }

    /** {@return whether this ID is closed} */
    public boolean isClosed() {
        return closed;
    }

    /**
     * Destroys the queue pair, the shared receive queue and the ID; see rdma_destroy_ep(3). The peer of a connection
     * gets {@link CmEventType#DISCONNECTED}, that of a request {@link CmEventType#REJECTED}. Waits until all events of
     * the ID that were retrieved are acknowledged. A second call has no effect.
     *
     * @throws VerbsException with EINTR if the thread is interrupted during the wait: acknowledge the events and call
     *         this method again; with EBUSY if another queue pair uses a queue of this ID
     */
    @Override
    public void close() {
        StackReserve.check();
        closed = true;
        name.beforeDestroy(ops);
        try {
            connected.destroyAll();
        } finally {
            events.destroyed(ops.destroy(), ops.isLogged());
            channel.remove(this);
        }
        events.awaitAcknowledged("destroy_id", "event", this);
    }

    @Override
    public String toString() {
        return name.toString();
    }
}
