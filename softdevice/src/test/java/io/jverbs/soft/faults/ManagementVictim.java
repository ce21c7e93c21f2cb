package io.jverbs.soft.faults;

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
 * and accepts, rejects, disconnects or closes by chance. Counts its events.
 */
final class ManagementVictim implements AutoCloseable {
    /** The maximum number of IDs that the program has open at a time, besides its listeners. */
    static final int MAX_IDS = 200;
    static final int BACKLOG = 16;

    private final Random random;
    private final InetSocketAddress own;
    private final InetSocketAddress peer;
    private final CmEventChannel channel;
    private final CmId[] listeners;
    private final Deque<CmId> ids = new ArrayDeque<>();
    private final Map<QpType, Map<CmEventType, Long>> counts = new EnumMap<>(QpType.class);

    /**
     * @param own the address at which it listens
     * @param peer an address to which it connects
     */
    ManagementVictim(RdmaContext context, Random random, InetSocketAddress own, InetSocketAddress peer) {
        this.random = random;
        this.own = own;
        this.peer = peer;
        channel = CmEventChannel.create(context);
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
    void run() throws InterruptedException {
        ids.add(channel.createId(random.nextInt(4) == 0 ? PortSpace.UDP : PortSpace.TCP));
        ids.getLast().resolveAddress(peer, Duration.ofSeconds(1));
        drain();
    }

    /** Retrieves all events. */
    void drain() throws InterruptedException {
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
                // the peer has ended the connection meanwhile
            }
        }
        // now no event of these IDs is discarded without having been counted
        while (ids.size() > MAX_IDS) {
            close(ids.getFirst());
        }
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
    void closeIds() {
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
