package io.jverbs.soft.fabric.udp;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.soft.fabric.RealTimers;
import io.jverbs.soft.fabric.udp.socket.Datagrams;
import io.jverbs.soft.protocol.Counter;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A packet for which a socket has no room is tried again for a short time. Then it is lost, and counted. */
final class FullSocketTest {
    private static final Gid OWN = Gid.parse("::ffff:192.0.2.1");
    private static final Gid PEER = Gid.parse("::ffff:192.0.2.2");

    private int sent;
    private final ScriptedDevice device = new ScriptedDevice(OWN, new RealTimers(), new Random(1),
            (packet, to) -> sent++);
    private final WorkCompletions completions = WorkCompletions.create(1);
    private RdmaContext context;
    private CompletionQueue cq;
    private QueuePair qp;

    @BeforeEach
    void connect() {
        context = device.open();
        ProtectionDomain pd = context.allocatePd();
        cq = context.createCompletionQueue(1);
        qp = pd.createQueuePair(QpInitAttributes.builder(QpType.UC).cq(cq).build());
        qp.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(0).build());
        qp.modify(QpAttributes.builder().state(QpState.RTR)
                .addressVector(AhAttributes.to(PEER, 1, context.preferredGid(1).index())).pathMtu(Mtu.MTU_1024)
                .destinationQpn(17).rqPsn(0).build());
        qp.modify(QpAttributes.builder().state(QpState.RTS).sqPsn(0).build());
    }

    @AfterEach
    void close() {
        context.close();
    }

    private void send() {
        qp.postSend(SendWorkRequest.create(0).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED));
        assertEquals(1, cq.poll(completions));
    }

    @Test
    void aPacketIsSentIfThereIsRoomInTime() {
        device.wire().full(Datagrams.ATTEMPTS);

        send();

        assertEquals(1, sent);
        assertEquals(0, device.port().counted(Counter.SEND_BUFFER_FULL));
    }

    @Test
    void aPacketWithoutRoomInTimeIsLostAndCounted() {
        device.wire().full(Datagrams.ATTEMPTS + 1);

        send();
        send();

        assertEquals(1, sent);
        assertEquals(1, device.port().counted(Counter.SEND_BUFFER_FULL));
        assertEquals(0, device.port().counted(Counter.SEND_ERROR));
    }
}
