package io.jverbs.samples.connect;

import io.jverbs.Access;
import io.jverbs.AddressHandle;
import io.jverbs.AhAttributes;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmEventType;
import io.jverbs.cm.CmId;
import io.jverbs.cm.ConnectionParameters;
import io.jverbs.cm.PortSpace;
import io.jverbs.samples.console.SampleFailure;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * The connections of a side over rdma_cm: first the one over which the sides exchange messages, then those of the queue
 * pairs of the test. The server accepts all at the same port, and datagrams in the port space of UDP. Used by one
 * thread.
 */
public final class CmConnections implements AutoCloseable {
    private static final int RETRIES = 7;
    private static final int BACKLOG = 4;
    /** The code of 0.64 ms. */
    private static final int MIN_RNR_TIMER = 12;
    private static final int GRH_BYTES = 40;
    /** How long a server of perftest may take until it listens again. */
    private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(100);

    private final RdmaContext context;
    private final InetSocketAddress server;
    private final InetSocketAddress local;
    private final QpType type;
    private final Duration patience;
    private final CmEvents events;
    private CmId listener;
    private CmId datagramListener;
    private CmMessageChannel control;
    private CmId test;
    private AhAttributes path;
    private int remoteQpn;
    private int remoteQkey;

    private CmConnections(RdmaContext context, InetSocketAddress server, InetSocketAddress local, QpType type,
            Duration patience) {
        this.context = context;
        this.server = server;
        this.local = local;
        this.type = type;
        this.patience = patience;
        this.events = new CmEvents(context, patience);
    }

    /**
     * Creates the connections of a client.
     *
     * @param context the open device
     * @param server the address of the server
     * @param type the type of the queue pairs of the test, RC or UD
     * @param patience the time to wait for the server's responses
     * @return the connections
     */
    public static CmConnections client(RdmaContext context, InetSocketAddress server, QpType type, Duration patience) {
        return new CmConnections(context, server, null, type, patience);
    }

    /**
     * Creates the connections of a server, which listens when this method returns.
     *
     * @param context the open device
     * @param local the address at which it listens
     * @param type the type of the queue pairs of the test, RC or UD
     * @param patience the time to wait for the client's responses, once it has connected
     * @return the connections
     */
    public static CmConnections server(RdmaContext context, InetSocketAddress local, QpType type, Duration patience) {
        CmConnections created = new CmConnections(context, null, local, type, patience);
        try {
            created.listener = created.listen(PortSpace.TCP);
            if (type == QpType.UD) {
                created.datagramListener = created.listen(PortSpace.UDP);
            }
            return created;
        } catch (RuntimeException | Error e) {
            created.close();
            throw e;
        }
    }

    private CmId listen(PortSpace space) {
        CmId id = events.create(space);
        id.bind(local);
        id.listen(BACKLOG);
        return id;
    }

    private boolean isClient() {
        return server != null;
    }

    /** {@return the connection for messages} The server waits for the client without a time limit. */
    public MessageChannel messages() {
        if (isClient()) {
            CmId id = resolve(PortSpace.TCP);
            control = new CmMessageChannel(id, events);
            id.connect(parameters(0));
            CmEvent event = events.await(CmEventType.ESTABLISHED, id, "the connection to " + server, patience, true);
            if (event == null) {
                throw new SampleFailure("no connection to " + server.getAddress().getHostAddress() + ":"
                        + server.getPort() + " (it was rejected): start the server first, on that host, with the same"
                        + " --port and with --rdma_cm.");
            }
            event.close();
        } else {
            CmEvent request = events.await(CmEventType.CONNECT_REQUEST, null, "the client", null);
            CmId id = request.id();
            request.close();
            control = new CmMessageChannel(id, events);
            id.accept(parameters(0));
            events.await(CmEventType.ESTABLISHED, id, "the connection from " + id.peerAddress(), patience).close();
        }
        return control;
    }

    private CmId resolve(PortSpace space) {
        CmId id = events.create(space);
        id.resolveAddress(server, patience);
        events.await(CmEventType.ADDR_RESOLVED, id, "the address of " + server, patience).close();
        id.resolveRoute(patience);
        events.await(CmEventType.ROUTE_RESOLVED, id, "the route to " + server, patience).close();
        return id;
    }

    private static ConnectionParameters parameters(int reads) {
        return ConnectionParameters.builder().responderResources(reads).initiatorDepth(reads).retryCount(RETRIES)
                .rnrRetryCount(RETRIES).build();
    }

    /**
     * Creates a queue pair of the test and connects it; further calls connect further ones. A queue pair that cannot be
     * created leaves the connection undone, and the method may be called again with other attributes.
     *
     * @param pd the protection domain
     * @param attributes the attributes of the queue pair, whose queues have no completions
     * @param reads the number of outstanding READs and atomics
     * @param replies whether the server sends too, so that it must know a datagram's sender
     * @return the queue pair
     */
    public QueuePair connect(ProtectionDomain pd, QpInitAttributes attributes, int reads, boolean replies) {
        if (isClient()) {
            return connectToServer(pd, attributes, reads, replies);
        }
        if (test == null || test.queuePair() != null) {
            CmEvent request = events.await(CmEventType.CONNECT_REQUEST, null, "the connection of the test", patience);
            test = request.id();
            request.close();
        }
        QueuePair qp = test.createQueuePair(pd, attributes);
        boolean asks = type == QpType.UD && replies;
        try (MemoryRegion greeting = asks ? pd.allocate(GRH_BYTES + Integer.BYTES, Access.LOCAL_WRITE) : null) {
            if (asks) {
                qp.postReceive(ReceiveWorkRequest.create(1).sge(greeting, 0, GRH_BYTES + Integer.BYTES));
            }
            test.accept(parameters(reads));
            if (type != QpType.UD) {
                events.await(CmEventType.ESTABLISHED, test, "the connection from " + test.peerAddress(), patience)
                        .close();
            } else if (asks) {
                learnSender(qp, greeting);
            }
        }
        return limited(qp);
    }

    /** Makes the sender of the first datagram, whose immediate data is its queue pair, the destination. */
    private void learnSender(QueuePair qp, MemoryRegion greeting) {
        WorkCompletions completions = CompletionWait.one(qp.recvCq(), patience, "the datagram with its queue pair");
        path = AddressHandle.replyTo(context, test.port(), completions, 0, greeting.segment());
        remoteQpn = completions.immediate(0);
        remoteQkey = qp.query().qkey();
    }

    private QueuePair connectToServer(ProtectionDomain pd, QpInitAttributes attributes, int reads, boolean replies) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (true) {
            if (test == null || test.queuePair() != null) {
                test = resolve(type == QpType.UD ? PortSpace.UDP : PortSpace.TCP);
            }
            QueuePair qp = test.createQueuePair(pd, attributes);
            test.connect(parameters(reads));
            CmEvent event = events.await(CmEventType.ESTABLISHED, test, "the connection of the test", patience,
                    System.nanoTime() < deadline);
            if (event == null) {
                // the server does not listen again yet
                events.close(test);
                test = null;
                CompletionWait.pause(BETWEEN_ATTEMPTS);
                continue;
            }
            if (type == QpType.UD) {
                path = event.address();
                remoteQpn = event.qpNumber();
                remoteQkey = event.qkey();
            }
            event.close();
            if (type == QpType.UD && replies) {
                introduce(pd, qp);
            }
            return limited(qp);
        }
    }

    /** Sends the server a datagram from which it learns the queue pair of this side. */
    private void introduce(ProtectionDomain pd, QueuePair qp) {
        try (MemoryRegion greeting = pd.allocate(Integer.BYTES, Access.LOCAL_WRITE);
                AddressHandle to = pd.createAddressHandle(path)) {
            qp.postSend(SendWorkRequest.create(1).opcode(WrOpcode.SEND_WITH_IMM).immediate(qp.number())
                    .sge(greeting, 0, Integer.BYTES).flags(SendFlags.SIGNALED)
                    .destination(to, remoteQpn, remoteQkey));
            CompletionWait.one(qp.sendCq(), patience, "the datagram with the queue pair");
        }
    }

    /** Shortens the time after which a sender repeats a message without a receive: rdma_cm has set the longest. */
    private QueuePair limited(QueuePair qp) {
        if (type == QpType.RC) {
            qp.modify(QpAttributes.builder().minRnrTimer(MIN_RNR_TIMER).build());
        }
        return qp;
    }

    /** {@return the ID of the queue pair that was connected last, null if there is none} */
    public CmId test() {
        return test;
    }

    /** {@return the path to the peer's queue pair for datagrams; null if this side sends none} */
    public AhAttributes path() {
        return path;
    }

    /** {@return the number of the peer's queue pair for datagrams} */
    public int remoteQpn() {
        return remoteQpn;
    }

    /** {@return the key of the peer's queue pair for datagrams} */
    public int remoteQkey() {
        return remoteQkey;
    }

    /** Ends all connections. */
    @Override
    public void close() {
        events.close();
        if (control != null) {
            control.close();
        }
    }
}
