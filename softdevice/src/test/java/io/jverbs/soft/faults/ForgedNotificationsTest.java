package io.jverbs.soft.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.CompletionQueue;
import io.jverbs.ConnectionInfo;
import io.jverbs.Gid;
import io.jverbs.MemoryRegion;
import io.jverbs.Mtu;
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
import io.jverbs.control.DeviceCounters;
import io.jverbs.soft.LoopbackAddress;
import io.jverbs.soft.wire.Aeth;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** L53: a flood of congestion notification packets (CNPs), which can be forged, does not stop a connection. */
final class ForgedNotificationsTest {
    private static final int PEER_QPN = 77;
    private static final int PSN = 100;
    private static final int CNPS = 2_000;
    private static final int MESSAGES = 200;

    private final String device = LoopbackAddress.next();
    private final String address = LoopbackAddress.next();
    private final WorkCompletions completions = WorkCompletions.create(1);

    private static Map<String, Long> counters(RdmaContext context) {
        return context.device().capability(DeviceCounters.class).orElseThrow().snapshot();
    }

    /** The columns are the congestion control, and whether the CNPs come from the address of the peer. */
    @ParameterizedTest
    @CsvSource({"window, true", "dcqcn, true", "window, false", "dcqcn, false"})
    void theirEffectIsBoundedAndCounted(String control, boolean fromPeer) throws IOException {
        try (RdmaContext context = Verbs.open("soft:" + device + "?fabric=wire&congestion=" + control)) {
            ProtectionDomain pd = context.allocatePd();
            CompletionQueue cq = context.createCompletionQueue(4);
            MemoryRegion memory = pd.allocate(64, Access.LOCAL_WRITE);
            QueuePair qp = pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).maxSendWr(1).build());
            qp.connect(new ConnectionInfo(PEER_QPN, PSN, Gid.ofAddress(InetAddress.getByName(address)), Mtu.MTU_1024));
            int first = qp.localInfo().psn();
            try (RawPeer peer = new RawPeer(address, device, qp.number());
                    RawPeer other = new RawPeer(LoopbackAddress.next(), device, qp.number())) {
                for (int i = 0; i < MESSAGES; i++) {
                    for (int j = 0; j < CNPS / MESSAGES; j++) {
                        (fromPeer ? peer : other).notifyOfCongestion();
                    }
                    qp.postSend(SendWorkRequest.create(1).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED)
                            .sge(memory, 0, 64));
                    int psn = first + i & 0xFFFFFF;
                    while (peer.next().psn() != psn) {
                        // a packet that was sent twice
                    }
                    peer.acknowledge(psn, Aeth.ACK);
                    awaitSuccess(cq);
                }
                long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
                while (outcomes(context, fromPeer) < CNPS && System.nanoTime() < end) {
                    cq.poll(completions);
                }
                assertEquals(CNPS, outcomes(context, fromPeer));
                assertTrue(counters(context).get("rp_cnp_handled") <= (fromPeer ? MESSAGES : 0));
            }
        }
    }

    private static long outcomes(RdmaContext context, boolean fromPeer) {
        Map<String, Long> all = counters(context);
        return fromPeer ? all.get("rp_cnp_handled") + all.get("rp_cnp_ignored") : all.get("wrong_address");
    }

    private void awaitSuccess(CompletionQueue cq) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (cq.poll(completions) == 0) {
            assertTrue(System.nanoTime() < end, "no completion within 20 s");
            Thread.onSpinWait();
        }
        assertEquals(WcStatus.SUCCESS, completions.status(0));
    }
}
