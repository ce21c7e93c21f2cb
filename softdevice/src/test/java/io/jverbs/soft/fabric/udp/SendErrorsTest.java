package io.jverbs.soft.fabric.udp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.AhAttributes;
import io.jverbs.CompletionQueue;
import io.jverbs.Gid;
import io.jverbs.Mtu;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.contract.fixture.CapturedLog;
import io.jverbs.control.DeviceCounters;
import io.jverbs.soft.LoopbackAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Packets that the system refuses to send are counted, and the first one is logged. */
final class SendErrorsTest {
    /** From a loopback address the system sends no packet to another machine. */
    private static final String ADDRESS = LoopbackAddress.next();
    private static final String DEVICE = "soft:" + ADDRESS + "?fabric=wire";
    private static final Gid OUTSIDE = Gid.parse("::ffff:192.0.2.9");
    private static final int COUNT = 3;

    @RegisterExtension
    final CapturedLog log = CapturedLog.of(UdpFabric.class);

    @Test
    void packetsThatTheSystemRefusesAreCountedAndTheFirstIsLogged() {
        try (RdmaContext context = Verbs.open(DEVICE)) {
            ProtectionDomain pd = context.allocatePd();
            CompletionQueue cq = context.createCompletionQueue(COUNT);
            QueuePair qp = pd.createQueuePair(QpInitAttributes.builder(QpType.UC).cq(cq).build());
            qp.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(0).build());
            qp.modify(QpAttributes.builder().state(QpState.RTR)
                    .addressVector(AhAttributes.to(OUTSIDE, 1, context.preferredGid(1).index())).pathMtu(Mtu.MTU_1024)
                    .destinationQpn(17).rqPsn(0).build());
            qp.modify(QpAttributes.builder().state(QpState.RTS).sqPsn(0).build());
            WorkCompletions completions = WorkCompletions.create(1);
            for (int i = 0; i < COUNT; i++) {
                qp.postSend(SendWorkRequest.create(0).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED));
                assertEquals(1, cq.poll(completions));
            }

            assertEquals(COUNT, context.device().capability(DeviceCounters.class).orElseThrow().snapshot(1)
                    .get("send_err"));
            List<String> warnings = log.warnings();
            assertEquals(1, warnings.size(), warnings::toString);
            assertTrue(warnings.getFirst().startsWith("Software device " + ADDRESS + " could not send: "),
                    warnings::toString);
        }
    }
}
