package io.jverbs.soft.rsocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.CompletionQueue;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
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
import io.jverbs.cm.ConnectionParameters;
import io.jverbs.cm.PortSpace;
import io.jverbs.cm.SynchronousCmId;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A peer of streams that is made of verbs, and can send anything. It has the connect data of librdmacm. */
final class VerbsPeer implements AutoCloseable {
    static final int CREDITS = 32;
    static final int BUFFER = 8192;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final RdmaContext context = Verbs.open("soft");
    private final ProtectionDomain pd = context.allocatePd();
    private final CompletionQueue cq = context.createCompletionQueue(512);
    private final MemoryRegion region = pd.allocate(2 * BUFFER, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
    private final SynchronousCmId id = SynchronousCmId.create(context, PortSpace.TCP);
    private final QueuePair qp;
    private final ByteBuffer peerData;

    VerbsPeer(InetSocketAddress listener) throws InterruptedException {
        this(listener, data -> {});
    }

    /**
     * Connects.
     *
     * @param lie changes the connect data
     */
    VerbsPeer(InetSocketAddress listener, Consumer<ByteBuffer> lie) throws InterruptedException {
        boolean isConnected = false;
        try {
            id.resolve(listener, TIMEOUT);
            qp = pd.createQueuePair(
                    QpInitAttributes.builder(QpType.RC).cq(cq).maxSendWr(200).maxRecvWr(256).build());
            qp.modify(id.id().initQpAttributes(QpState.INIT));
            for (int i = 0; i < 256; i++) {
                qp.postReceive(ReceiveWorkRequest.create(0));
            }
            ByteBuffer data = connectData();
            lie.accept(data);
            id.connect(ConnectionParameters.builder().privateData(data).queuePair(qp.number(), false).build(), TIMEOUT);
            peerData = id.event().privateData();
            qp.modify(id.id().initQpAttributes(QpState.RTR));
            // the peer has agreed to no RDMA READ
            qp.modify(id.id().initQpAttributes(QpState.RTS).toBuilder().maxRdAtomic(1).build());
            id.id().establish();
            isConnected = true;
        } finally {
            if (!isConnected) {
                close();
            }
        }
    }

    /** Returns the connect data of this side: the target SGL is at offset BUFFER, the receive buffer at 0. */
    ByteBuffer connectData() {
        ByteBuffer data = ByteBuffer.allocate(40);
        data.put((byte) 1).put((byte) 2).putShort((short) CREDITS).putInt(0);
        data.putLong(region.address() + BUFFER).putInt(region.rkey()).putInt(2);
        return data.putLong(region.address()).putInt(region.rkey()).putInt(BUFFER / 2).flip();
    }

    /** Returns the address of the target SGL of the stream. */
    long targetSgl() {
        return peerData.getLong(8);
    }

    int targetKey() {
        return peerData.getInt(16);
    }

    /** Returns the address of the receive buffer of the stream. */
    long buffer() {
        return peerData.getLong(24);
    }

    int bufferKey() {
        return peerData.getInt(32);
    }

    int bufferLength() {
        return peerData.getInt(36);
    }

    /** Returns the memory that is sent from, after the receive buffer and the target SGL. */
    ByteBuffer memory() {
        return region.segment().asByteBuffer().position(BUFFER + 64).slice().order(java.nio.ByteOrder.nativeOrder());
    }

    /** Sends a message with the first bytes of the memory. */
    void send(int message, int length, long address, int key) {
        post(SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE_WITH_IMM).immediate(message).remote(address, key)
                .sge(region, BUFFER + 64, length));
    }

    /** Sends a message without bytes. */
    void send(int message) {
        post(SendWorkRequest.create(0).opcode(WrOpcode.RDMA_WRITE_WITH_IMM).immediate(message).remote(0, 0));
    }

    void post(SendWorkRequest request) {
        qp.postSend(request.flags(SendFlags.SIGNALED).wrId(1));
    }

    MemoryRegion region() {
        return region;
    }

    /** Waits for the completion of a request; returns its status. */
    WcStatus awaitSent() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        WorkCompletions completions = WorkCompletions.create(1);
        while (true) {
            if (cq.poll(completions) == 1 && completions.wrId(0) == 1) {
                return completions.status(0);
            }
            assertTrue(System.nanoTime() - deadline < 0, "no completion within 10 s");
        }
    }

    /** Sends a message without bytes, which arrives. */
    void sendAcknowledged(int message) {
        send(message);
        assertEquals(WcStatus.SUCCESS, awaitSent());
    }

    @Override
    public void close() {
        id.close();
        context.close();
    }
}
