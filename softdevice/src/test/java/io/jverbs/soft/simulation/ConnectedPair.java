package io.jverbs.soft.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.control.DeviceCounters;
import io.jverbs.control.SimulatedNetwork;
import io.jverbs.control.SimulatedPacket;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;

/** Two devices of a simulated network, with a queue pair on each that is connected to the other one. */
final class ConnectedPair implements AutoCloseable {
    private static final int ALL = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC;
    private static final int QUEUE = 256;
    static final Duration LONG = Duration.ofSeconds(60);

    final RdmaContext left;
    final RdmaContext right;
    final SimulatedNetwork network;
    final CompletionChannel channel;
    final CompletionQueue sent;
    final CompletionQueue received;
    final MemoryRegion source;
    final MemoryRegion target;
    final QueuePair one;
    final QueuePair other;
    final WorkCompletions completions = WorkCompletions.create(1);

    /** @param options the options of the selector, including the seed */
    ConnectedPair(QpType type, int bytes, String options) {
        this(type, bytes, Verbs.open("soft:sim0?" + options), Verbs.open("soft:sim1?" + options));
    }

    ConnectedPair(QpType type, int bytes, RdmaContext left, RdmaContext right) {
        this.left = left;
        this.right = right;
        network = left.device().capability(SimulatedNetwork.class).orElseThrow();
        ProtectionDomain leftPd = left.allocatePd();
        ProtectionDomain rightPd = right.allocatePd();
        channel = right.createCompletionChannel();
        sent = left.createCompletionQueue(QUEUE);
        received = right.createCompletionQueue(QUEUE, channel);
        source = leftPd.allocate(bytes, ALL);
        target = rightPd.allocate(bytes, ALL);
        one = leftPd.createQueuePair(QpInitAttributes.builder(type).cq(sent).maxSendWr(QUEUE).maxRecvWr(QUEUE).build());
        other = rightPd
                .createQueuePair(QpInitAttributes.builder(type).cq(received).maxSendWr(QUEUE).maxRecvWr(QUEUE).build());
        one.connect(other.localInfo());
        other.connect(one.localInfo());
    }

    long counted(RdmaContext context, String counter) {
        return context.device().capability(DeviceCounters.class).orElseThrow().snapshot().get(counter);
    }

    /** Connects another queue pair of the first device with another one of the second. */
    QueuePair connectMore() {
        QueuePair more = one.pd()
                .createQueuePair(QpInitAttributes.builder(QpType.RC).cq(sent).maxSendWr(QUEUE).build());
        QueuePair peer = other.pd().createQueuePair(QpInitAttributes.builder(QpType.RC).cq(received).build());
        more.connect(peer.localInfo());
        peer.connect(more.localInfo());
        return more;
    }

    void write(long id) {
        source.segment().fill((byte) id);
        write(one, id);
    }

    /** Posts a WRITE of the source to the target. */
    void write(QueuePair by, long id) {
        by.postSend(SendWorkRequest.create(1).wrId(id).opcode(WrOpcode.RDMA_WRITE).flags(SendFlags.SIGNALED)
                .sge(source, 0, source.length()).remote(target.address(), target.rkey()));
    }

    void send(long id) {
        one.postSend(SendWorkRequest.create(1).wrId(id).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED).sge(source, 0,
                source.length()));
    }

    void receive(long id) {
        other.postReceive(ReceiveWorkRequest.create(1).wrId(id).sge(target, 0, target.length()));
    }

    boolean hasSent() {
        return sent.poll(completions) != 0;
    }

    boolean hasReceived() {
        return received.poll(completions) != 0;
    }

    WcStatus status() {
        return completions.status(0);
    }

    /** Runs the network until the next send completion; it must be successful and have the given wr_id. */
    void awaitSent(long id) {
        assertTrue(network.runUntil(this::hasSent, LONG), "no completion within " + LONG + " of simulated time");
        assertEquals(WcStatus.SUCCESS, status());
        assertEquals(id, completions.wrId(0));
    }

    void assertWritten(int value) {
        for (long i = 0; i < target.length(); i++) {
            assertEquals((byte) value, target.segment().get(ValueLayout.JAVA_BYTE, i));
        }
    }

    List<SimulatedPacket> packets(SimulatedPacket.Fate fate) {
        return network.packetLog().stream().filter(packet -> packet.fate() == fate).toList();
    }

    @Override
    public void close() {
        left.close();
        right.close();
    }
}
