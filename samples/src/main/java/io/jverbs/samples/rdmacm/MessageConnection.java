package io.jverbs.samples.rdmacm;

import io.jverbs.Access;
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
import io.jverbs.WrOpcode;
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmEventType;
import io.jverbs.cm.SynchronousCmId;
import io.jverbs.samples.console.SampleFailure;
import io.jverbs.samples.nodes.Completions;
import io.jverbs.samples.nodes.PeerLimit;
import java.time.Duration;

/** A connection for one message in each direction. Closing it closes the ID. */
final class MessageConnection implements AutoCloseable {
    private static final int BYTES = 16;
    /** How long it waits for a completion after the peer has disconnected. */
    private static final Duration LATE = Duration.ofSeconds(1);

    private final SynchronousCmId id;
    private final ProtectionDomain pd;
    private final Completions completions;
    private final CompletionQueue sendCq;
    private final CompletionQueue receiveCq;
    private final MemoryRegion received;
    private final MemoryRegion sent;
    private final QueuePair qp;
    private boolean disconnected;
    /** When the peer disconnected, by {@link System#nanoTime}. */
    private long disconnectedAt;

    /** Creates the queue pair of an ID, and posts the receive. */
    MessageConnection(SynchronousCmId id) {
        this.id = id;
        RdmaContext context = id.id().context();
        pd = context.allocatePd();
        completions = new Completions(context, this::checkPeer);
        sendCq = completions.createQueue(1);
        receiveCq = completions.createQueue(1);
        received = pd.allocate(BYTES, Access.LOCAL_WRITE);
        sent = pd.allocate(BYTES, Access.LOCAL_WRITE);
        qp = id.createQueuePair(pd, QpInitAttributes.builder(QpType.RC).sendCq(sendCq).recvCq(receiveCq).maxSendWr(1)
                .maxRecvWr(1).maxInlineData(BYTES).signalAll(true).build());
        qp.postReceive(ReceiveWorkRequest.create(1).sge(received, 0, BYTES));
    }

    /** Sends the message, inline, and waits until it has arrived. */
    void send() throws InterruptedException {
        qp.postSend(SendWorkRequest.create(1).opcode(WrOpcode.SEND).flags(SendFlags.INLINE)
                .sge(0, sent.segment()));
        completions.await(sendCq, 1);
    }

    /** Waits for the peer's message. */
    void receive() throws InterruptedException {
        completions.await(receiveCq, 1);
    }

    /** Ends a wait for a peer that has ended, or was killed. */
    private void checkPeer(Duration waited) throws InterruptedException {
        CmEvent event = id.id().channel().awaitEvent(Duration.ZERO);
        if (event != null) {
            event.acknowledge();
            if (event.type() == CmEventType.DISCONNECTED) {
                disconnected = true;
                disconnectedAt = System.nanoTime();
            }
        }
        if (disconnected && System.nanoTime() - disconnectedAt > LATE.toNanos()) {
            throw new SampleFailure("the peer disconnected before all requests had completed");
        }
        PeerLimit.check(waited, "no completion");
    }

    /** Disconnects, and waits until the peer has agreed, unless it has disconnected first. */
    void disconnect() throws InterruptedException {
        if (!disconnected) {
            id.disconnect();
        } else {
            id.id().disconnect();
        }
    }

    @Override
    public void close() {
        id.close();
        sendCq.close();
        receiveCq.close();
        completions.close();
        received.close();
        sent.close();
        pd.close();
    }
}
