package io.jverbs.cm;

import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.VerbsException;
import io.jverbs.cm.ConnectRequests.QueuePairs;
import io.jverbs.cm.StepEvents.Limit;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;

/**
 * An ID whose methods wait until the step has ended, as an ID that librdmacm creates without a channel; see
 * rdma_create_id(3) and rdma_create_ep(3). It has a channel of its own.
 *
 * <p>
 * A step that fails throws {@link CmException}. A method with a timeout throws {@link VerbsException} with ETIMEDOUT if
 * the step has not ended in time. An interrupt and a timeout end the wait, but the step goes on: close the ID
 * afterwards. Events that end no step, such as {@link CmEventType#TIMEWAIT_EXIT}, are skipped. One thread at a time may
 * use an ID; another one may close it, and the waiting thread throws {@link IllegalStateException}.
 *
 * {@snippet :
 * try (SynchronousCmId id = SynchronousCmId.create(context, PortSpace.TCP)) {
 *     id.resolve(new InetSocketAddress("192.0.2.7", 7471), Duration.ofSeconds(2));
 *     QueuePair qp = id.createQueuePair(pd, attributes);
 *     id.connect(ConnectionParameters.DEFAULT);
 * }
 * }
 */
public final class SynchronousCmId implements AutoCloseable {
    /** The time that librdmacm allows for each of both steps of the resolution of an address. */
    private static final Duration RESOLUTION = Duration.ofSeconds(2);

    private final StepEvents events;
    private final CmId id;
    private final ConnectRequests requests;

    private SynchronousCmId(CmId id, StepEvents events) {
        this.id = id;
        this.events = events;
        this.requests = new ConnectRequests(id, events);
    }

    /**
     * Creates an ID with a channel of its own.
     *
     * @param context the context whose device the ID uses
     * @param portSpace the port space
     * @return the ID
     * @throws VerbsException as {@link CmEventChannel#create} and {@link CmEventChannel#createId}
     */
    public static SynchronousCmId create(RdmaContext context, PortSpace portSpace) {
        return create(context, portSpace, Objects.requireNonNull(portSpace, "portSpace").qpType());
    }

    /**
     * Creates an ID with a channel of its own and a type of queue pair.
     *
     * @param context the context whose device the ID uses
     * @param portSpace the port space
     * @param qpType the type of the queue pair
     * @return the ID
     * @throws VerbsException as {@link CmEventChannel#create} and {@link CmEventChannel#createId}
     */
    public static SynchronousCmId create(RdmaContext context, PortSpace portSpace, QpType qpType) {
        CmEventChannel channel = CmEventChannel.create(context);
        CmId id = null;
        try {
            id = channel.createId(portSpace, qpType);
            return new SynchronousCmId(id, new StepEvents(channel, null));
        } catch (RuntimeException | Error e) {
            StepEvents.closeAfter(e, id, channel);
            throw e;
        }
    }

    /**
     * Creates an ID for an address, without a queue pair; see rdma_create_ep(3). An ID that will listen is bound to its
     * address; {@link #listen} is next. Otherwise the address and the route are resolved, within two seconds each;
     * {@link #createQueuePair} and {@link #connect} are next.
     *
     * @param context the context whose device the ID uses
     * @param info the address, the port space and the type of the queue pair
     * @return the ID
     * @throws InterruptedException if the thread is interrupted
     * @throws CmException if the address or the route cannot be resolved
     * @throws VerbsException as {@link #create(RdmaContext, PortSpace, QpType)}, {@link #bind} and {@link #resolve}
     */
    public static SynchronousCmId create(RdmaContext context, AddressInfo info) throws InterruptedException {
        return create(context, info, (QueuePairs) null);
    }

    /**
     * Creates an ID for an address, and its queue pair; see rdma_create_ep(3). An ID that will listen is bound to its
     * address; {@link #listen} is next, and {@link #getRequest} creates a queue pair for each request. Otherwise the
     * address and the route are resolved, within two seconds each, and the queue pair is created; {@link #connect} is
     * next.
     *
     * @param context the context whose device the ID uses
     * @param info the address, the port space and the type of the queue pair
     * @param pd the protection domain of the queue pairs
     * @param attributes the attributes of the queue pairs
     * @return the ID
     * @throws InterruptedException if the thread is interrupted
     * @throws CmException if the address or the route cannot be resolved
     * @throws VerbsException as {@link #create(RdmaContext, AddressInfo)} and {@link #createQueuePair}
     */
    public static SynchronousCmId create(RdmaContext context, AddressInfo info, ProtectionDomain pd,
            QpInitAttributes attributes) throws InterruptedException {
        return create(context, info,
                new QueuePairs(Objects.requireNonNull(pd, "pd"), Objects.requireNonNull(attributes, "attributes")));
    }

    /**
     * Creates an ID for an address, and its queue pair in the default protection domain, as rdma_create_ep(3) without
     * one; otherwise as {@link #create(RdmaContext, AddressInfo, ProtectionDomain, QpInitAttributes)}.
     *
     * @param context the context whose device the ID uses
     * @param info the address, the port space and the type of the queue pair
     * @param attributes the attributes of the queue pairs
     * @return the ID
     * @throws InterruptedException if the thread is interrupted
     */
    public static SynchronousCmId create(RdmaContext context, AddressInfo info, QpInitAttributes attributes)
            throws InterruptedException {
        return create(context, info, new QueuePairs(null, Objects.requireNonNull(attributes, "attributes")));
    }

    private static SynchronousCmId create(RdmaContext context, AddressInfo info, QueuePairs wanted)
            throws InterruptedException {
        SynchronousCmId created = create(context, Objects.requireNonNull(info, "info").portSpace(), info.qpType());
        try {
            created.prepare(info, wanted);
            return created;
        } catch (InterruptedException | RuntimeException | Error e) {
            StepEvents.closeAfter(e, created);
            throw e;
        }
    }

    private void prepare(AddressInfo info, QueuePairs wanted) throws InterruptedException {
        if (info.passive()) {
            bind(info.source());
            requests.queuePairs(wanted);
            return;
        }
        resolveAddress(info.source(), info.destination(), RESOLUTION);
        resolveRoute(RESOLUTION);
        if (wanted != null) {
            wanted.create(id);
        }
    }

    /** {@return the ID, for what does not wait: addresses, options, the queue pair} */
    public CmId id() {
        return id;
    }

    /**
     * {@return the event that ended the latest step, or the connect request that has created this ID, or null} It is
     * acknowledged already.
     */
    public CmEvent event() {
        return events.latest();
    }

    /**
     * Binds the ID; see {@link CmId#bind}.
     *
     * @param address the address and port
     */
    public void bind(InetSocketAddress address) {
        id.bind(address);
    }

    /**
     * Resolves an address and the route to it; see rdma_resolve_addr(3) and rdma_resolve_route(3).
     *
     * @param destination the address and port of the peer
     * @param timeout the maximum time of each of both steps
     * @throws InterruptedException if the thread is interrupted
     * @throws CmException if the address or the route cannot be resolved
     * @throws VerbsException as {@link CmId#resolveAddress} and {@link CmId#resolveRoute}
     */
    public void resolve(InetSocketAddress destination, Duration timeout) throws InterruptedException {
        resolveAddress(destination, timeout);
        resolveRoute(timeout);
    }

    /**
     * Resolves an address from any local one.
     *
     * @param destination the address and port of the peer
     * @param timeout the maximum time
     * @throws InterruptedException if the thread is interrupted
     */
    public void resolveAddress(InetSocketAddress destination, Duration timeout) throws InterruptedException {
        resolveAddress(null, destination, timeout);
    }

    /**
     * Resolves an address; see {@link CmId#resolveAddress(InetSocketAddress, InetSocketAddress, Duration)}.
     *
     * @param source the local address and port, null for any
     * @param destination the address and port of the peer
     * @param timeout the maximum time
     * @throws InterruptedException if the thread is interrupted
     * @throws CmException if the address cannot be resolved
     * @throws VerbsException as {@link CmId#resolveAddress}
     */
    public void resolveAddress(InetSocketAddress source, InetSocketAddress destination, Duration timeout)
            throws InterruptedException {
        id.resolveAddress(source, destination, timeout);
        events.complete("resolve_addr of " + destination, Limit.NONE, CmEventType.ADDR_RESOLVED);
    }

    /**
     * Resolves the route; see {@link CmId#resolveRoute}.
     *
     * @param timeout the maximum time
     * @throws InterruptedException if the thread is interrupted
     * @throws CmException if the route cannot be resolved
     * @throws VerbsException as {@link CmId#resolveRoute}
     */
    public void resolveRoute(Duration timeout) throws InterruptedException {
        id.resolveRoute(timeout);
        events.complete("resolve_route to " + id.peerAddress(), Limit.NONE, CmEventType.ROUTE_RESOLVED);
    }

    /**
     * Creates the queue pair; see {@link CmId#createQueuePair}.
     *
     * @param pd the protection domain
     * @param attributes the attributes of the queue pair
     * @return the queue pair
     */
    public QueuePair createQueuePair(ProtectionDomain pd, QpInitAttributes attributes) {
        return id.createQueuePair(pd, attributes);
    }

    /**
     * Creates the queue pair in the default protection domain; see {@link CmId#createQueuePair(QpInitAttributes)}.
     *
     * @param attributes the attributes of the queue pair
     * @return the queue pair
     */
    public QueuePair createQueuePair(QpInitAttributes attributes) {
        return id.createQueuePair(attributes);
    }

    /** {@return the queue pair, or null} */
    public QueuePair queuePair() {
        return id.queuePair();
    }

    /**
     * Connects to the peer, without a limit of time; see {@link #connect(ConnectionParameters, Duration)}.
     *
     * @param parameters the parameters
     * @throws InterruptedException if the thread is interrupted
     */
    public void connect(ConnectionParameters parameters) throws InterruptedException {
        connect(parameters, Limit.NONE);
    }

    /**
     * Connects to the peer; see {@link CmId#connect}. If the ID has no queue pair, {@link #event} is then {@link
     * CmEventType#CONNECT_RESPONSE}: move the queue pair and call {@link CmId#establish}.
     *
     * @param parameters the parameters
     * @param timeout the maximum time
     * @throws InterruptedException if the thread is interrupted
     * @throws CmException if the peer rejects or does not respond, or the queue pair cannot be connected
     * @throws VerbsException as {@link CmId#connect}; with ETIMEDOUT if the step has not ended in time
     */
    public void connect(ConnectionParameters parameters, Duration timeout) throws InterruptedException {
        connect(parameters, Limit.of(timeout));
    }

    private void connect(ConnectionParameters parameters, Limit limit) throws InterruptedException {
        id.connect(parameters);
        events.complete("connect to " + id.peerAddress(), limit, CmEventType.ESTABLISHED, CmEventType.CONNECT_RESPONSE);
    }

    /**
     * Listens; see {@link CmId#listen}.
     *
     * @param backlog the number of connect requests that may wait
     */
    public void listen(int backlog) {
        requests.listen(backlog);
    }

    /**
     * Waits for the next connect request, without a limit of time; see {@link #getRequest(Duration)}.
     *
     * @return the new ID
     * @throws InterruptedException if the thread is interrupted
     */
    public SynchronousCmId getRequest() throws InterruptedException {
        return getRequest(Limit.NONE);
    }

    /**
     * Waits for the next connect request; see rdma_get_request(3). If this ID was created with attributes of queue
     * pairs, the new ID has a queue pair. The new ID remains if this one is closed.
     *
     * @param timeout the maximum time; {@link Duration#ZERO} returns immediately
     * @return a new ID, with a channel of its own, whose {@link #event} is the request; accept or reject it. Null if
     *         the timeout expired
     * @throws InterruptedException if the thread is interrupted
     * @throws CmException if another event has occurred
     * @throws VerbsException with EINVAL if this ID does not listen; if the queue pair cannot be created: the request
     *         is then rejected
     */
    public SynchronousCmId getRequest(Duration timeout) throws InterruptedException {
        return getRequest(Limit.of(timeout));
    }

    private SynchronousCmId getRequest(Limit limit) throws InterruptedException {
        return requests.next(limit, SynchronousCmId::new);
    }

    /**
     * Accepts the request, without a limit of time; see {@link #accept(ConnectionParameters, Duration)}.
     *
     * @param parameters the parameters
     * @throws InterruptedException if the thread is interrupted
     */
    public void accept(ConnectionParameters parameters) throws InterruptedException {
        accept(parameters, Limit.NONE);
    }

    /**
     * Accepts the request; see {@link CmId#accept}. Returns when the peer can send; for UD at once.
     *
     * @param parameters the parameters
     * @param timeout the maximum time
     * @throws InterruptedException if the thread is interrupted
     * @throws CmException if the connection is not established
     * @throws VerbsException as {@link CmId#accept}; with ETIMEDOUT if the step has not ended in time
     */
    public void accept(ConnectionParameters parameters, Duration timeout) throws InterruptedException {
        accept(parameters, Limit.of(timeout));
    }

    private void accept(ConnectionParameters parameters, Limit limit) throws InterruptedException {
        id.accept(parameters);
        if (id.qpType() != QpType.UD) {
            events.complete("accept from " + id.peerAddress(), limit, CmEventType.ESTABLISHED);
        }
    }

    /**
     * Rejects the request; see {@link CmId#reject}.
     *
     * @param privateData the private data that the peer gets
     */
    public void reject(ByteBuffer privateData) {
        id.reject(privateData);
    }

    /**
     * Joins a multicast group, without a limit of time; see {@link #joinMulticast(InetSocketAddress, boolean,
     * Duration)}.
     *
     * @param group the address of the group; its port is not used
     * @param sendOnly whether this ID only sends to the group
     * @throws InterruptedException if the thread is interrupted
     */
    public void joinMulticast(InetSocketAddress group, boolean sendOnly) throws InterruptedException {
        joinMulticast(group, sendOnly, Limit.NONE);
    }

    /**
     * Joins a multicast group; see {@link CmId#joinMulticast}. {@link #event} then has the path to the group and its
     * Q_Key. {@link CmId#leaveMulticast} does not wait.
     *
     * @param group the address of the group; its port is not used
     * @param sendOnly whether this ID only sends to the group
     * @param timeout the maximum time
     * @throws InterruptedException if the thread is interrupted
     * @throws CmException if the group cannot be joined
     * @throws VerbsException as {@link CmId#joinMulticast}; with ETIMEDOUT if the step has not ended in time
     */
    public void joinMulticast(InetSocketAddress group, boolean sendOnly, Duration timeout)
            throws InterruptedException {
        joinMulticast(group, sendOnly, Limit.of(timeout));
    }

    private void joinMulticast(InetSocketAddress group, boolean sendOnly, Limit limit) throws InterruptedException {
        id.joinMulticast(group, sendOnly, null);
        events.complete("join_multicast of " + group, limit, CmEventType.MULTICAST_JOIN);
    }

    /**
     * Ends the connection, and waits without a limit of time until it has ended; see {@link #disconnect(Duration)}.
     *
     * @throws InterruptedException if the thread is interrupted
     */
    public void disconnect() throws InterruptedException {
        disconnect(Limit.NONE);
    }

    /**
     * Ends the connection, and waits until it has ended; see {@link CmId#disconnect}. Does not wait if it has ended
     * already, if it could not be established, or if the ID is of type UD and so has no connection.
     *
     * @param timeout the maximum time
     * @throws InterruptedException if the thread is interrupted
     * @throws CmException if the peer has not responded
     * @throws VerbsException as {@link CmId#disconnect}; with ETIMEDOUT if the step has not ended in time
     */
    public void disconnect(Duration timeout) throws InterruptedException {
        disconnect(Limit.of(timeout));
    }

    private void disconnect(Limit limit) throws InterruptedException {
        CmEventType end = id.connected().end();
        if (end == null || end == CmEventType.DISCONNECTED) {
            // after DISCONNECTED it responds to the peer
            id.disconnect();
        } else {
            id.connected().fail();
        }
        if (id.qpType() != QpType.UD) {
            events.awaitEnd(id, limit);
        }
    }

    /** Destroys the queue pair, the ID and its channel; see rdma_destroy_ep(3). A second call has no effect. */
    @Override
    public void close() {
        events.acknowledge();
        id.close();
        events.channel().close();
    }

    @Override
    public String toString() {
        return "synchronous " + id;
    }
}
