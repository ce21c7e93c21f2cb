package io.jverbs.cm;

import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.VerbsException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;

/**
 * An ID whose methods wait until the step has ended, as an ID that librdmacm creates without a channel; see
 * rdma_create_id(3) and rdma_create_ep(3). It has a channel of its own.
 *
 * <p>
 * A step that fails throws {@link CmException}. An interrupt ends the wait, but the step goes on: close the ID
 * afterwards. One thread at a time may use an ID; another one may close it, and the waiting thread throws {@link
 * IllegalStateException}.
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

    private final CmEventChannel channel;
    private final CmId id;
    private CmEvent event;
    /** The queue pairs of the connect requests of a listener; null if the program creates them. */
    private QueuePairs queuePairs;

    private record QueuePairs(ProtectionDomain pd, QpInitAttributes attributes) {}

    private SynchronousCmId(CmEventChannel channel, CmId id, CmEvent event) {
        this.channel = channel;
        this.id = id;
        this.event = event;
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
        try {
            return new SynchronousCmId(channel, channel.createId(portSpace, qpType), null);
        } catch (RuntimeException | Error e) {
            channel.close();
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
        return create(context, info, null);
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

    private static SynchronousCmId create(RdmaContext context, AddressInfo info, QueuePairs wanted)
            throws InterruptedException {
        Objects.requireNonNull(context, "context");
        Objects.requireNonNull(info, "info");
        SynchronousCmId created = create(context, info.portSpace(), info.qpType());
        try {
            created.prepare(info, wanted);
            return created;
        } catch (InterruptedException | RuntimeException | Error e) {
            created.close();
            throw e;
        }
    }

    private void prepare(AddressInfo info, QueuePairs wanted) throws InterruptedException {
        if (info.passive()) {
            bind(info.source());
            queuePairs = wanted;
            return;
        }
        resolveAddress(info.source(), info.destination(), RESOLUTION);
        resolveRoute(RESOLUTION);
        if (wanted != null) {
            createQueuePair(wanted.pd(), wanted.attributes());
        }
    }

    /** {@return the ID, for what does not wait: addresses, options, the queue pair} */
    public CmId id() {
        return id;
    }

    /** {@return the event that ended the latest step, or null} It is acknowledged by the next step. */
    public CmEvent event() {
        return event;
    }

    /** Waits for the event that ends a step, and acknowledges the former one. */
    private CmEvent complete(String step, CmEventType expected) throws InterruptedException {
        do {
            acknowledge();
            event = channel.awaitEvent();
        } while (event.type() == CmEventType.TIMEWAIT_EXIT || event.type() == CmEventType.ADDR_CHANGE);
        if (event.type() != expected || event.isFailure()) {
            throw event.failure(step);
        }
        return event;
    }

    private void acknowledge() {
        if (event != null) {
            event.acknowledge();
            event = null;
        }
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
     * Resolves an address; see {@link CmId#resolveAddress}.
     *
     * @param destination the address and port of the peer
     * @param timeout the maximum time
     * @throws InterruptedException if the thread is interrupted
     * @throws CmException if the address cannot be resolved
     * @throws VerbsException as {@link CmId#resolveAddress}
     */
    public void resolveAddress(InetSocketAddress destination, Duration timeout) throws InterruptedException {
        resolveAddress(null, destination, timeout);
    }

    private void resolveAddress(InetSocketAddress source, InetSocketAddress destination, Duration timeout)
            throws InterruptedException {
        id.resolveAddress(source, destination, timeout);
        complete("resolve_addr of " + destination, CmEventType.ADDR_RESOLVED);
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
        complete("resolve_route to " + id.peerAddress(), CmEventType.ROUTE_RESOLVED);
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

    /** {@return the queue pair, or null} */
    public QueuePair queuePair() {
        return id.queuePair();
    }

    /**
     * Connects to the peer; see {@link CmId#connect}.
     *
     * @param parameters the parameters
     * @throws InterruptedException if the thread is interrupted
     * @throws CmException if the peer rejects or does not respond, or the queue pair cannot be connected
     * @throws VerbsException as {@link CmId#connect}
     */
    public void connect(ConnectionParameters parameters) throws InterruptedException {
        id.connect(parameters);
        complete("connect to " + id.peerAddress(), CmEventType.ESTABLISHED);
    }

    /**
     * Listens; see {@link CmId#listen}.
     *
     * @param backlog the number of connect requests that may wait
     */
    public void listen(int backlog) {
        id.listen(backlog);
    }

    /**
     * Waits for the next connect request; see rdma_get_request(3). If this ID was created with attributes of queue
     * pairs, the new ID has a queue pair.
     *
     * @return a new ID, with a channel of its own, whose {@link #event} is the request; accept or reject it
     * @throws InterruptedException if the thread is interrupted
     * @throws CmException if another event has occurred
     * @throws VerbsException if the queue pair cannot be created; the request is then rejected
     */
    public SynchronousCmId getRequest() throws InterruptedException {
        CmEvent request = complete("get_request", CmEventType.CONNECT_REQUEST);
        CmId child = request.id();
        event = null;
        CmEventChannel own = null;
        try {
            own = CmEventChannel.create(id.context());
            child.migrate(own);
            if (queuePairs != null) {
                child.createQueuePair(queuePairs.pd(), queuePairs.attributes());
            }
            return new SynchronousCmId(own, child, request);
        } catch (RuntimeException | Error e) {
            request.acknowledge();
            child.close();
            if (own != null) {
                own.close();
            }
            throw e;
        }
    }

    /**
     * Accepts the request; see {@link CmId#accept}. Returns when the peer can send; for UD at once.
     *
     * @param parameters the parameters
     * @throws InterruptedException if the thread is interrupted
     * @throws CmException if the connection is not established
     * @throws VerbsException as {@link CmId#accept}
     */
    public void accept(ConnectionParameters parameters) throws InterruptedException {
        id.accept(parameters);
        if (id.qpType() == QpType.UD) {
            acknowledge();
        } else {
            complete("accept from " + id.peerAddress(), CmEventType.ESTABLISHED);
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
     * Ends the connection, and waits until it has ended; see {@link CmId#disconnect}.
     *
     * @throws InterruptedException if the thread is interrupted
     * @throws CmException if the peer has not responded
     * @throws VerbsException as {@link CmId#disconnect}
     */
    public void disconnect() throws InterruptedException {
        id.disconnect();
        complete("disconnect from " + id.peerAddress(), CmEventType.DISCONNECTED);
    }

    /** Destroys the queue pair, the ID and its channel; see rdma_destroy_ep(3). A second call has no effect. */
    @Override
    public void close() {
        acknowledge();
        id.close();
        channel.close();
    }

    @Override
    public String toString() {
        return "synchronous " + id;
    }
}
