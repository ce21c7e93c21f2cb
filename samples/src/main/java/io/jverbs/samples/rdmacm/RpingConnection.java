package io.jverbs.samples.rdmacm;

import io.jverbs.Access;
import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
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
import io.jverbs.cm.ConnectionParameters;
import io.jverbs.cm.SynchronousCmId;
import io.jverbs.samples.console.SampleFailure;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Map;

/**
 * One connection of rping: its queue pair, and the buffers for messages and for the data. Closing it closes the ID.
 */
final class RpingConnection implements AutoCloseable {
    /** How rping calls the ID of a client. */
    static final String PARENT = "parent";
    /** How rping calls the ID of a connect request. */
    static final String CHILD = "child";

    private static final int DEPTH = 16;
    private static final int RECEIVES = 2;
    private static final int RETRIES = 7;
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(50);
    /** How rping calls the completions of its own requests. */
    private static final Map<WcOpcode, String> SENT = Map.of(WcOpcode.SEND, "send completion", WcOpcode.RDMA_WRITE,
            "rdma write completion", WcOpcode.RDMA_READ, "rdma read completion");
    private static final int MESSAGE = 0;
    private static final int RECEIVED = RemoteBuffer.BYTES;
    private static final int DATA = 2 * RemoteBuffer.BYTES;

    private final SynchronousCmId id;
    private final String role;
    private final int size;
    private final boolean ownQueuePair;
    private final RpingOutput output;
    private final CompletionChannel channel;
    private final CompletionQueue cq;
    private final ProtectionDomain pd;
    private final MemoryRegion region;
    private final QueuePair qp;
    private final WorkCompletions completions = WorkCompletions.create(DEPTH);
    private boolean sendDone;
    private boolean messageArrived;
    private boolean disconnected;

    /**
     * Creates the queue pair of an ID, and posts the receive for the first message.
     *
     * @param id the ID, whose route is resolved, or that of a connect request
     * @param role how rping calls the ID
     * @param size the length of the data in bytes
     * @param ownQueuePair whether the queue pair is created and moved with verbs, and rdma_cm only knows its number
     * @param output the output
     */
    RpingConnection(SynchronousCmId id, String role, int size, boolean ownQueuePair, RpingOutput output) {
        this.id = id;
        this.role = role;
        this.size = size;
        this.ownQueuePair = ownQueuePair;
        this.output = output;
        RdmaContext context = id.id().context();
        pd = context.allocatePd();
        output.step("created pd %s", pd);
        channel = context.createCompletionChannel();
        output.step("created channel %s", channel);
        cq = context.createCompletionQueue(2 * DEPTH, channel);
        output.step("created cq %s", cq);
        region = pd.allocate(DATA + 2L * size, Access.LOCAL_WRITE | Access.REMOTE_READ | Access.REMOTE_WRITE);
        output.step("allocated & registered buffers...");
        qp = createQueuePair();
        output.step("created qp %s", qp);
        cq.requestNotification(false);
        postReceive();
    }

    private QueuePair createQueuePair() {
        QpInitAttributes attributes = QpInitAttributes.builder(QpType.RC).cq(cq).maxSendWr(DEPTH).maxRecvWr(RECEIVES)
                .build();
        if (!ownQueuePair) {
            return id.createQueuePair(pd, attributes);
        }
        QueuePair created = pd.createQueuePair(attributes);
        created.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(id.id().port()).accessFlags(0)
                .build());
        return created;
    }

    /** Connects to the server. */
    void connect() throws InterruptedException {
        if (ownQueuePair) {
            id.id().connect(parameters());
            try (CmEvent event = id.id().channel().awaitEvent()) {
                output.event(event, role);
                if (event.type() != CmEventType.CONNECT_RESPONSE) {
                    throw new SampleFailure("connect to " + id.id().peerAddress() + ": " + event);
                }
            }
            toReadyToSend();
            id.id().establish();
        } else {
            id.connect(parameters());
            output.event(id.event(), role);
            output.step("ESTABLISHED");
        }
    }

    /** Accepts the request of a client. */
    void accept() throws InterruptedException {
        output.step("accepting client connection request");
        if (ownQueuePair) {
            toReadyToSend();
        }
        id.accept(parameters());
        output.event(id.event(), role);
        output.step("ESTABLISHED");
    }

    private ConnectionParameters parameters() {
        ConnectionParameters.Builder builder = ConnectionParameters.builder().responderResources(1).initiatorDepth(1)
                .retryCount(RETRIES).rnrRetryCount(RETRIES);
        return (ownQueuePair ? builder.queuePair(qp.number(), false) : builder).build();
    }

    /** Moves the queue pair with the attributes that rdma_cm has negotiated. */
    private void toReadyToSend() {
        for (QpState state : new QpState[] {QpState.INIT, QpState.RTR, QpState.RTS}) {
            qp.modify(id.id().initQpAttributes(state));
        }
    }

    /** Ends the connection. */
    void disconnect() {
        if (ownQueuePair) {
            qp.modify(QpAttributes.builder().state(QpState.ERR).build());
        }
        id.id().disconnect();
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
        output.step("RDMA addr %x rkey %x len %d", buffer.address(), buffer.rkey(), buffer.length());
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
        output.step("rdma write from lkey %x laddr %x len %d", region.lkey(), region.address() + DATA + size, length);
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
        if (role.equals(CHILD)) {
            output.step("Received rkey %x addr %x len %d from peer", message.rkey(), message.address(),
                    message.length());
        }
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
                output.step("recv completion");
                messageArrived = true;
            } else {
                output.step(SENT.get(completions.opcode(i)));
                sendDone = true;
            }
        }
        if (count == 0 && !disconnected) {
            awaitEvent();
            return true;
        }
        return count > 0;
    }

    private void awaitEvent() throws InterruptedException {
        CompletionQueue fired = channel.awaitEvent(CHECK_INTERVAL);
        if (fired != null) {
            fired.acknowledgeEvents(1);
            fired.requestNotification(false);
            return;
        }
        try (CmEvent event = id.id().channel().awaitEvent(Duration.ZERO)) {
            if (event == null) {
                return;
            }
            output.event(event, role);
            if (event.type() == CmEventType.DISCONNECTED) {
                output.step("%s DISCONNECT EVENT...", role.equals(CHILD) ? "server" : "client");
                // a message may have arrived before the end, and after the last poll
                disconnected = true;
            }
        }
    }

    @Override
    public void close() {
        id.close();
        if (ownQueuePair) {
            qp.close();
        }
        cq.close();
        channel.close();
        region.close();
        pd.close();
    }
}
