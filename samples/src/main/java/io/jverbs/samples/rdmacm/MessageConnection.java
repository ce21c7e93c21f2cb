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
import io.jverbs.cm.SynchronousCmId;
import io.jverbs.samples.nodes.Completions;

/** A connection for one message in each direction. Closing it closes the ID. */
final class MessageConnection implements AutoCloseable {
    private static final int BYTES = 16;

    private final SynchronousCmId id;
    private final ProtectionDomain pd;
    private final Completions completions;
    private final CompletionQueue sendCq;
    private final CompletionQueue receiveCq;
    private final MemoryRegion received;
    private final MemoryRegion sent;
    private final QueuePair qp;

    /** Creates the queue pair of an ID, and posts the receive. */
    MessageConnection(SynchronousCmId id) {
        this.id = id;
        RdmaContext context = id.id().context();
        pd = context.allocatePd();
        completions = new Completions(context);
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
