package io.jverbs.soft.faults;

import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.RdmaContext;
import io.jverbs.VerbsException;
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmEventChannel;
import io.jverbs.cm.CmEventType;
import io.jverbs.cm.CmId;
import io.jverbs.cm.ConnectionParameters;
import io.jverbs.cm.PortSpace;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;

/**
 * A program that hostile peers talk to. It listens for connections and for lookups, connects to a peer now and then,
 * and accepts, rejects, disconnects or closes by chance. Some of the requests it accepts with a queue pair, which is
 * connected to what the REQ says of the peer. Counts its events.
 */
public final class ManagementVictim implements AutoCloseable {
    /** The maximum number of IDs that the program has open at a time, besides its listeners. */
    static final int MAX_IDS = 200;
    static final int BACKLOG = 16;

    private final Random random;
    private final InetSocketAddress own;
    private final InetSocketAddress peer;
    private final CmEventChannel channel;
    private final CmId[] listeners;
    private final ProtectionDomain pd;
    private final QpInitAttributes attributes;
    private final Deque<CmId> ids = new ArrayDeque<>();
    private final Map<QpType, Map<CmEventType, Long>> counts = new EnumMap<>(QpType.class);
    private long accepted;
    private long refused;

    /**
     * @param own the address at which it listens
     * @param peer an address to which it connects
     */
    public ManagementVictim(RdmaContext context, Random random, InetSocketAddress own, InetSocketAddress peer) {
        this.random = random;
        this.own = own;
        this.peer = peer;
        channel = CmEventChannel.create(context);
        pd = context.allocatePd();
        attributes = QpInitAttributes.builder(QpType.RC).cq(context.createCompletionQueue(1)).maxSendWr(1).maxRecvWr(1)
                .build();
        listeners = new CmId[] {listen(PortSpace.TCP), listen(PortSpace.UDP)};
        for (QpType type : QpType.values()) {
            counts.put(type, new EnumMap<>(CmEventType.class));
        }
    }

    private CmId listen(PortSpace portSpace) {
        CmId id = channel.createId(portSpace);
        id.bind(own);
        id.listen(BACKLOG);
        return id;
    }

    /** Returns the number of events of IDs of a type, those that report a timeout not included. */
    long count(QpType type, CmEventType... events) {
        return Arrays.stream(events).mapToLong(event -> counts.get(type).getOrDefault(event, 0L)).sum();
    }

    /** Retrieves all events, and starts to connect to the peer. */
    public void run() throws InterruptedException {
        ids.add(channel.createId(random.nextInt(4) == 0 ? PortSpace.UDP : PortSpace.TCP));
        ids.getLast().resolveAddress(peer, Duration.ofSeconds(1));
        drain();
    }

    /** Retrieves all events. */
    public void drain() throws InterruptedException {
        for (CmEvent event = take(); event != null; event = take()) {
            // the IDs are not closed before the event is acknowledged
            CmId id = event.id();
            CmEventType type = event.type();
            if (event.status() != -110) {
                counts.get(id.qpType()).merge(type, 1L, Long::sum);
            }
            event.acknowledge();
            try {
                respond(type, id);
            } catch (VerbsException e) {
                // the peer has ended the connection meanwhile, or the queue pair cannot have the values of its REQ
                refused(type, id);
            }
        }
        // now no event of these IDs is discarded without having been counted
        while (ids.size() > MAX_IDS) {
            close(ids.getFirst());
        }
    }

    /**
     * A queue pair that could not be connected is in ERR, and the request can still be rejected. It is in INIT if the
     * peer had ended the connection before the accept.
     */
    private void refused(CmEventType type, CmId id) {
        if (type == CmEventType.CONNECT_REQUEST && id.queuePair() != null) {
            refused++;
            if (id.queuePair().state() != QpState.ERR && id.queuePair().state() != QpState.INIT) {
                throw new AssertionError("the queue pair is in " + id.queuePair().state());
            }
            close(id);
        }
    }

    /** Returns how many queue pairs were connected to what a REQ says of the peer. */
    public long accepted() {
        return accepted;
    }

    /** Returns how many queue pairs could not be connected to what a REQ says of the peer. */
    public long refused() {
        return refused;
    }

    private CmEvent take() throws InterruptedException {
        return channel.awaitEvent(Duration.ZERO);
    }

    private void respond(CmEventType type, CmId id) {
        ConnectionParameters parameters = ConnectionParameters.builder().queuePair(random.nextInt(1 << 24), false)
                .responderResources(1).initiatorDepth(1).build();
        switch (type) {
            case ADDR_RESOLVED -> id.resolveRoute(Duration.ofSeconds(1));
            case ROUTE_RESOLVED -> id.connect(parameters);
            case CONNECT_REQUEST -> {
                ids.add(id);
                switch (random.nextInt(8)) {
                    case 0 -> id.reject(ByteBuffer.allocate(0));
                    case 1 -> close(id);
                    case 2 -> {
                        // the program takes its time
                    }
                    case 3, 4 -> {
                        if (id.qpType() == QpType.RC) {
                            id.createQueuePair(pd, attributes);
                        }
                        id.accept(id.queuePair() == null ? parameters : ConnectionParameters.DEFAULT);
                        accepted += id.queuePair() == null ? 0 : 1;
                    }
                    default -> id.accept(parameters);
                }
            }
            case CONNECT_RESPONSE -> {
                if (random.nextInt(8) == 0) {
                    id.reject(ByteBuffer.allocate(0));
                } else {
                    id.establish();
                }
            }
            case ESTABLISHED -> {
                if (random.nextBoolean()) {
                    id.disconnect();
                }
            }
            case DISCONNECTED -> id.disconnect();
            default -> close(id);
        }
    }

    private void close(CmId id) {
        ids.remove(id);
        id.close();
    }

    /** Closes all IDs but the listeners. */
    public void closeIds() {
        while (!ids.isEmpty()) {
            close(ids.getFirst());
        }
    }

    @Override
    public void close() {
        closeIds();
        for (CmId listener : listeners) {
            listener.close();
        }
        channel.close();
    }
}
