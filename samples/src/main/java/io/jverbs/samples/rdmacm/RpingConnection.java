package io.jverbs.samples.rdmacm;

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
import io.jverbs.WcOpcode;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmEventType;
import io.jverbs.cm.SynchronousCmId;
import io.jverbs.samples.console.SampleFailure;
import java.lang.foreign.MemorySegment;
import java.time.Duration;

/**
 * One connection of rping: its queue pair, and the buffers for messages and for the data. Closing it closes the ID.
 */
final class RpingConnection implements AutoCloseable {
    private static final int DEPTH = 16;
    private static final int RECEIVES = 2;
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(50);
    private static final int MESSAGE = 0;
    private static final int RECEIVED = RemoteBuffer.BYTES;
    private static final int DATA = 2 * RemoteBuffer.BYTES;

    private final SynchronousCmId id;
    private final int size;
    private final CompletionChannel channel;
    private final CompletionQueue cq;
    private final ProtectionDomain pd;
    private final MemoryRegion region;
    private final QueuePair qp;
    private final WorkCompletions completions = WorkCompletions.create(DEPTH);
    private boolean sendDone;
    private boolean messageArrived;

    /** Creates the queue pair of an ID, and posts the receive for the first message. */
    RpingConnection(SynchronousCmId id, int size) {
        this.id = id;
        this.size = size;
        RdmaContext context = id.id().context();
        pd = context.allocatePd();
        channel = context.createCompletionChannel();
        cq = context.createCompletionQueue(2 * DEPTH, channel);
        region = pd.allocate(DATA + 2L * size, Access.LOCAL_WRITE | Access.REMOTE_READ | Access.REMOTE_WRITE);
        qp = id.createQueuePair(pd, QpInitAttributes.builder(QpType.RC).cq(cq).maxSendWr(DEPTH).maxRecvWr(RECEIVES)
                .build());
        cq.requestNotification(false);
        postReceive();
    }

    /** Returns the buffer whose contents the peer reads. */
    MemorySegment source() {
        return region.segment().asSlice(DATA, size);
    }

    /** Returns the buffer that the peer writes to, or into which this side reads. */
    MemorySegment sink() {
        return region.segment().asSlice(DATA + (long) size, size);
    }

    RemoteBuffer sourceForPeer() {
        return RemoteBuffer.of(region, DATA, size);
    }

    RemoteBuffer sinkForPeer() {
        return RemoteBuffer.of(region, DATA + (long) size, size);
    }

    private void postReceive() {
        qp.postReceive(ReceiveWorkRequest.create(1).sge(region, RECEIVED, RemoteBuffer.BYTES));
    }

    /** Sends the description of a buffer. */
    void send(RemoteBuffer buffer) throws InterruptedException {
        buffer.write(region.segment().asSlice(MESSAGE, RemoteBuffer.BYTES));
        execute(SendWorkRequest.create(1).opcode(WrOpcode.SEND).sge(region, MESSAGE, RemoteBuffer.BYTES));
    }

    /** Reads the peer's buffer into the sink. */
    void read(RemoteBuffer from) throws InterruptedException {
        execute(SendWorkRequest.create(1).opcode(WrOpcode.RDMA_READ).sge(region, DATA + size, from.length())
                .remote(from.address(), from.rkey()));
    }

    /** Writes the beginning of the sink to the peer's buffer. */
    void write(RemoteBuffer to, int length) throws InterruptedException {
        execute(SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE).sge(region, DATA + size, length)
                .remote(to.address(), to.rkey()));
    }

    private void execute(SendWorkRequest request) throws InterruptedException {
        sendDone = false;
        qp.postSend(request.flags(SendFlags.SIGNALED));
        while (!sendDone) {
            if (!await()) {
                throw new SampleFailure("the peer disconnected before a request had completed");
            }
        }
    }

    /** Waits for the next message, and returns it; null if the peer disconnected. */
    RemoteBuffer receive() throws InterruptedException {
        while (!messageArrived) {
            if (!await()) {
                return null;
            }
        }
        messageArrived = false;
        RemoteBuffer message = RemoteBuffer.read(region.segment().asSlice(RECEIVED, RemoteBuffer.BYTES));
        postReceive();
        return message;
    }

    /** Waits for completions; returns false if the connection has ended. */
    private boolean await() throws InterruptedException {
        int count = cq.poll(completions);
        for (int i = 0; i < count; i++) {
            if (completions.status(i) == WcStatus.WR_FLUSH_ERR) {
                return false;
            }
            if (completions.status(i) != WcStatus.SUCCESS) {
                throw new SampleFailure("a request failed with " + completions.status(i));
            }
            if (completions.opcode(i) == WcOpcode.RECV) {
                if (completions.byteLength(i) != RemoteBuffer.BYTES) {
                    throw new SampleFailure("a message of " + completions.byteLength(i) + " bytes arrived, expected "
                            + RemoteBuffer.BYTES + ": is the peer rping?");
                }
                messageArrived = true;
            } else {
                sendDone = true;
            }
        }
        return count > 0 || awaitEvent();
    }

    private boolean awaitEvent() throws InterruptedException {
        CompletionQueue fired = channel.awaitEvent(CHECK_INTERVAL);
        if (fired != null) {
            fired.acknowledgeEvents(1);
            fired.requestNotification(false);
            return true;
        }
        try (CmEvent event = id.id().channel().awaitEvent(Duration.ZERO)) {
            return event == null || event.type() != CmEventType.DISCONNECTED;
        }
    }

    @Override
    public void close() {
        id.close();
        cq.close();
        channel.close();
        region.close();
        pd.close();
    }
}
