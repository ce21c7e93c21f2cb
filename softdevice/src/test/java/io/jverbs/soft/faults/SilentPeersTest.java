package io.jverbs.soft.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.CompletionQueue;
import io.jverbs.ConnectionInfo;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.soft.LoopbackAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections to queue pairs of another device that do not respond, beside one whose peer does: D7, F30. */
final class SilentPeersTest {
    private static final String LEFT = LoopbackAddress.next();
    private static final String RIGHT = LoopbackAddress.next();
    private static final int SILENT = 40;
    private static final int SIZE = 1 << 20;
    private static final int MESSAGES = 50;
    private static final long SECONDS = 30;
    /** The code of an infinite ACK timeout. */
    private static final int NO_TIMEOUT = 0;
    /** The code of an ACK timeout of 4.2 ms. */
    private static final int SHORT_TIMEOUT = 10;

    private final List<QueuePair> silent = new ArrayList<>();
    private RdmaContext left;
    private RdmaContext right;
    private ProtectionDomain leftPd;
    private ProtectionDomain rightPd;
    private CompletionQueue leftCq;
    private CompletionQueue rightCq;
    private MemoryRegion source;
    private MemoryRegion target;

    @BeforeEach
    void open() {
        left = Verbs.open("soft:" + LEFT + "?fabric=wire");
        right = Verbs.open("soft:" + RIGHT + "?fabric=wire");
        leftPd = left.allocatePd();
        rightPd = right.allocatePd();
        leftCq = left.createCompletionQueue(4 * SILENT);
        rightCq = right.createCompletionQueue(1);
        source = leftPd.allocate(SIZE, Access.LOCAL_WRITE);
        target = rightPd.allocate(SIZE, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
    }

    @AfterEach
    void close() {
        left.close();
        right.close();
    }

    private QueuePair connected(int timeout, boolean responds) {
        QueuePair qp = queuePair(leftPd, leftCq);
        QueuePair peer = queuePair(rightPd, rightCq);
        ConnectionInfo own = qp.localInfo();
        ConnectionInfo others = peer.localInfo();
        Connector.connect(qp, own.psn(), others, timeout);
        if (responds) {
            Connector.connect(peer, others.psn(), own, timeout);
        } else {
            peer.close();
        }
        return qp;
    }

    private static QueuePair queuePair(ProtectionDomain pd, CompletionQueue cq) {
        return pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).build());
    }

    /** Each silent connection alone may have as much in flight as all connections together. */
    @ParameterizedTest
    @ValueSource(ints = {NO_TIMEOUT, SHORT_TIMEOUT})
    void silentPeersDoNotDelayOtherConnections(int timeout) {
        SendWorkRequest write = SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE).flags(SendFlags.SIGNALED)
                .sge(source, 0, SIZE).remote(target.address(), target.rkey());
        for (int i = 0; i < SILENT; i++) {
            silent.add(connected(timeout, false));
        }
        QueuePair live = connected(20, true);
        silent.forEach(qp -> qp.postSend(write));
        for (int i = 0; i < MESSAGES / 2; i++) {
            awaitSuccess(live, write);
        }
        silent.subList(0, SILENT / 2).forEach(QueuePair::close);
        for (int i = 0; i < MESSAGES / 2; i++) {
            awaitSuccess(live, write);
        }
    }

    private void awaitSuccess(QueuePair live, SendWorkRequest write) {
        live.postSend(write);
        WorkCompletions completions = WorkCompletions.create(1);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        boolean done = false;
        while (!done) {
            assertTrue(System.nanoTime() - end < 0, "the message of the live connection did not complete in time");
            if (leftCq.poll(completions) == 1) {
                done = completions.qpNumber(0) == live.number();
                assertEquals(done ? WcStatus.SUCCESS : WcStatus.RETRY_EXC_ERR, completions.status(0));
            }
        }
    }
}
