package io.jverbs.soft;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.AhAttributes;
import io.jverbs.CompletionQueue;
import io.jverbs.MemoryRegion;
import io.jverbs.Mtu;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.RdmaDevice;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.SharedReceiveQueue;
import io.jverbs.SrqInitAttributes;
import io.jverbs.Verbs;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.control.PacketCapture;
import java.lang.foreign.ValueLayout;
import java.time.Duration;

/**
 * Two queue pairs in RTS, of one device or of two, with all that they need to communicate. They are connected to each
 * other, unless they are UD. The path MTU is 256, and the PSNs are fixed.
 */
public final class PairOfQueuePairs implements AutoCloseable {
    public static final int MTU = 256;
    public static final int LEFT_PSN = 0xFFFFFE;
    public static final int RIGHT_PSN = 0x000100;
    public static final int BYTES = 4096;
    /** The maximum number of elements of a request. */
    public static final int ELEMENTS = 3;
    private static final int ALL = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ
            | Access.REMOTE_ATOMIC;
    /** The code of an ACK timeout of 1 ms, for packets that never arrive. */
    private static final int SHORT_TIMEOUT = 8;
    /** The code of an ACK timeout of 0.5 s, for packets that may be delayed. */
    private static final int LONG_TIMEOUT = 17;
    private static final long DEADLINE_NANOS = Duration.ofSeconds(20).toNanos();

    public final RdmaDevice leftDevice;
    public final RdmaDevice rightDevice;
    public final RdmaContext leftContext;
    public final RdmaContext rightContext;
    public final Side left;
    public final Side right;
    private final int timeout;
    private final WorkCompletions completions = WorkCompletions.create(1);

    /** One of the queue pairs, with the objects that it uses. */
    public final class Side {
        public final RdmaContext context;
        public final ProtectionDomain pd;
        public final CompletionQueue cq;
        public final MemoryRegion memory;
        /** The shared receive queue of the queue pair, or null. */
        public final SharedReceiveQueue srq;
        public final QueuePair qp;

        Side(RdmaContext context, QpType type, int fill, boolean shared) {
            this.context = context;
            pd = context.allocatePd();
            cq = context.createCompletionQueue(64);
            memory = pd.allocate(BYTES, ALL);
            for (int i = 0; i < BYTES; i++) {
                memory.segment().set(ValueLayout.JAVA_BYTE, i, (byte) (fill + i));
            }
            srq = shared ? pd.createSharedReceiveQueue(SrqInitAttributes.of(16, ELEMENTS)) : null;
            qp = pd.createQueuePair(QpInitAttributes.builder(type).cq(cq).srq(srq).maxSendWr(16).maxRecvWr(16)
                    .maxSendSge(ELEMENTS).maxRecvSge(ELEMENTS).maxInlineData(64).build());
        }

        public void postReceive(int length) {
            post(ReceiveWorkRequest.create(1).wrId(1).sge(memory, 0, length));
        }

        /** Posts to the receive queue of the queue pair, shared or not. */
        public void post(ReceiveWorkRequest request) {
            if (srq == null) {
                qp.postReceive(request);
            } else {
                srq.postReceive(request);
            }
        }

        /** Posts a signaled request, waits for its completion, and returns the status. */
        public WcStatus run(SendWorkRequest request) {
            qp.postSend(request.flags(request.flags() | SendFlags.SIGNALED));
            return next();
        }

        /** Waits for the next completion and returns its status. */
        public WcStatus next() {
            long deadline = System.nanoTime() + DEADLINE_NANOS;
            while (cq.poll(completions) == 0) {
                assertTrue(System.nanoTime() < deadline, "no completion within 20 s");
                Thread.onSpinWait();
            }
            return completions.status(0);
        }
    }

    public PairOfQueuePairs(String leftSelector, String rightSelector, QpType type) {
        this(leftSelector, rightSelector, type, false);
    }

    /**
     * Creates a pair.
     *
     * @param shared whether the right queue pair takes its receive requests from a shared receive queue
     */
    public PairOfQueuePairs(String leftSelector, String rightSelector, QpType type, boolean shared) {
        this(leftSelector, rightSelector, type, shared,
                leftSelector.contains("fabric") || leftSelector.contains("time=real") ? LONG_TIMEOUT : SHORT_TIMEOUT);
    }

    private PairOfQueuePairs(String leftSelector, String rightSelector, QpType type, boolean shared, int timeout) {
        this.timeout = timeout;
        leftDevice = Verbs.select(leftSelector);
        rightDevice = Verbs.select(rightSelector);
        leftContext = leftDevice.open();
        rightContext = rightDevice.open();
        left = new Side(leftContext, type, 0, false);
        right = new Side(rightContext, type, 100, shared);
        connect(left, right, LEFT_PSN, RIGHT_PSN);
        connect(right, left, RIGHT_PSN, LEFT_PSN);
    }

    public static PairOfQueuePairs within(QpType type) {
        return new PairOfQueuePairs("soft", "soft", type);
    }

    /** Returns a pair within this JVM that retransmits a request only after half a second without a response. */
    public static PairOfQueuePairs patient(QpType type) {
        return new PairOfQueuePairs("soft", "soft", type, false, LONG_TIMEOUT);
    }

    /** Moves both queue pairs to RESET and connects them again, with the same PSNs. */
    public void reconnect() {
        left.qp.modify(QpAttributes.builder().state(QpState.RESET).build());
        right.qp.modify(QpAttributes.builder().state(QpState.RESET).build());
        connect(left, right, LEFT_PSN, RIGHT_PSN);
        connect(right, left, RIGHT_PSN, LEFT_PSN);
    }

    private void connect(Side side, Side peer, int psn, int peersPsn) {
        boolean reliable = side.qp.type() == QpType.RC;
        QpAttributes.Builder init = QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(1);
        if (side.qp.type() == QpType.UD) {
            side.qp.modify(init.qkey(0x11).build());
            side.qp.modify(QpAttributes.builder().state(QpState.RTR).build());
            side.qp.modify(QpAttributes.builder().state(QpState.RTS).sqPsn(psn).build());
            return;
        }
        side.qp.modify(init.accessFlags(reliable ? ALL : Access.LOCAL_WRITE | Access.REMOTE_WRITE).build());
        QpAttributes.Builder ready = QpAttributes.builder().state(QpState.RTR)
                .addressVector(AhAttributes.to(peer.context.preferredGid(1).gid(), 1,
                        side.context.preferredGid(1).index()))
                .pathMtu(Mtu.MTU_256).destinationQpn(peer.qp.number()).rqPsn(peersPsn);
        side.qp.modify((reliable ? ready.maxDestRdAtomic(4).minRnrTimer(1) : ready).build());
        QpAttributes.Builder send = QpAttributes.builder().state(QpState.RTS).sqPsn(psn);
        side.qp.modify((reliable ? send.timeout(timeout).retryCount(1).rnrRetry(1).maxRdAtomic(4) : send).build());
    }

    public SendWorkRequest request(int length) {
        return SendWorkRequest.create(1).wrId(7).sge(left.memory, 0, length).remote(right.memory.address(),
                right.memory.rkey());
    }

    public static PacketCapture capture(RdmaDevice device) {
        return device.capability(PacketCapture.class).orElseThrow();
    }

    @Override
    public void close() {
        leftContext.close();
        rightContext.close();
    }
}
