package io.jverbs.soft.simulation;

import io.jverbs.Access;
import io.jverbs.CompletionQueue;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmEventChannel;
import io.jverbs.cm.CmEventType;
import io.jverbs.cm.CmId;
import io.jverbs.cm.PortSpace;
import io.jverbs.control.SimulatedNetwork;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A device of a simulated network, and the events of the connection manager's IDs that it has, with their times. */
final class CmEndpoint implements AutoCloseable {
    static final int PORT = 7471;
    private static final int BYTES = 64;
    private static final int QUEUE = 8;

    final RdmaContext context;
    final SimulatedNetwork network;
    final ProtectionDomain pd;
    final CompletionQueue cq;
    final MemoryRegion memory;
    final CmEventChannel channel;
    /** The events by ID, in the order of the IDs' first events. */
    final Map<CmId, List<Occurrence>> events = new LinkedHashMap<>();
    private final WorkCompletions completions = WorkCompletions.create(1);

    /** An event, and when the program has retrieved it. */
    record Occurrence(CmEventType type, int status, Duration at) {}

    CmEndpoint(String selector) {
        context = Verbs.open(selector);
        network = context.device().capability(SimulatedNetwork.class).orElseThrow();
        pd = context.allocatePd();
        cq = context.createCompletionQueue(2 * QUEUE);
        memory = pd.allocate(BYTES, Access.LOCAL_WRITE);
        channel = CmEventChannel.create(context);
    }

    InetSocketAddress address() {
        return new InetSocketAddress(context.preferredGid(1).gid().toInetAddress(), PORT);
    }

    CmId listen(PortSpace space) {
        CmId listener = channel.createId(space);
        listener.bind(address());
        listener.listen(QUEUE);
        return listener;
    }

    void createQueuePair(CmId id) {
        createQueuePair(id, QpType.RC);
    }

    void createQueuePair(CmId id, QpType type) {
        id.createQueuePair(pd, QpInitAttributes.builder(type).cq(cq).maxSendWr(QUEUE).maxRecvWr(QUEUE).build());
    }

    /** Passes the events that have occurred to the program, and records them. */
    void handleEvents(Consumer<CmEvent> program) {
        for (CmEvent event = poll(); event != null; event = poll()) {
            try (CmEvent retrieved = event) {
                events.computeIfAbsent(retrieved.id(), id -> new ArrayList<>())
                        .add(new Occurrence(retrieved.type(), retrieved.status(), network.now()));
                program.accept(retrieved);
            }
        }
    }

    private CmEvent poll() {
        try {
            return channel.awaitEvent(Duration.ZERO);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** {@return the types of the events of an ID} */
    List<CmEventType> types(CmId id) {
        return events.getOrDefault(id, List.of()).stream().map(Occurrence::type).toList();
    }

    /** {@return the only event of an ID of a type, or null} */
    Occurrence event(CmId id, CmEventType type) {
        List<Occurrence> all = events.getOrDefault(id, List.of()).stream().filter(each -> each.type() == type).toList();
        return all.isEmpty() ? null : all.getLast();
    }

    /** {@return whether a work request has completed; {@link #status} then is its status} */
    boolean hasCompletion() {
        return cq.poll(completions) != 0;
    }

    WcStatus status() {
        return completions.status(0);
    }

    @Override
    public void close() {
        context.close();
    }
}
