package io.jverbs.soft.capture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.jverbs.AddressHandle;
import io.jverbs.AhAttributes;
import io.jverbs.Gid;
import io.jverbs.GidEntry;
import io.jverbs.QpType;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcStatus;
import io.jverbs.WrOpcode;
import io.jverbs.control.PacketCapture;
import io.jverbs.soft.PairOfQueuePairs;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Datagrams within the JVM are captured as the packets that would be sent over a network. */
final class InJvmDatagramCaptureTest extends InJvmCapture {
    @Test
    void datagramsNameTheirSenderAndAreSentOnceToAGroup() throws Exception {
        Gid group = Gid.parse("::ffff:239.1.2.3");
        try (PairOfQueuePairs pair = PairOfQueuePairs.within(QpType.UD);
                PacketCapture.Running running = capture(pair);
                AddressHandle peer = pair.left.pd.createAddressHandle(AhAttributes.to(
                        pair.right.context.preferredGid(1).gid(), 1, pair.left.context.preferredGid(1).index()));
                AddressHandle all = pair.left.pd.createAddressHandle(
                        AhAttributes.to(group, 1, pair.left.context.preferredGid(1).index()))) {
            pair.right.postReceive(1024);
            pair.right.postReceive(1024);
            pair.left.postReceive(1024);
            pair.right.qp.attachMulticast(group, 0);
            pair.left.qp.attachMulticast(group, 0);
            pair.left.run(SendWorkRequest.create(1).opcode(WrOpcode.SEND_WITH_IMM).immediate(IMMEDIATE)
                    .sge(pair.left.memory, 0, 20).destination(peer, pair.right.qp.number(), 0x11));
            pair.left.run(SendWorkRequest.create(1).opcode(WrOpcode.SEND).sge(pair.left.memory, 0, 21)
                    .destination(all, 0xFFFFFF, 0x11));
            pair.left.run(SendWorkRequest.create(1).opcode(WrOpcode.SEND).sge(pair.left.memory, 0, 22)
                    .destination(peer, pair.right.qp.number() ^ 0x800000, 0x11));
            pair.right.qp.detachMulticast(group, 0);
            pair.left.qp.detachMulticast(group, 0);
            running.flush();

            List<RocePacket> packets = captured();
            assertEquals(List.of("UD_SEND_ONLY_WITH_IMM 20", "UD_SEND_ONLY 21", "UD_SEND_ONLY 22"), names(packets));
            assertEquals(0x11, packets.getFirst().extension(0));
            assertEquals(pair.left.qp.number(), packets.getFirst().extension(4));
            assertEquals(IMMEDIATE, packets.getFirst().lastExtension());
            assertEquals(group, packets.get(1).destination());
        }
    }

    @Test
    void aDatagramBetweenIpv6AddressesIsCapturedWithThem() throws Exception {
        try (PairOfQueuePairs pair = PairOfQueuePairs.within(QpType.UD);
                PacketCapture.Running running = capture(pair)) {
            GidEntry ipv6 = ipv6(pair);
            try (AddressHandle peer = pair.left.pd
                    .createAddressHandle(AhAttributes.to(ipv6.gid(), 1, ipv6.index()))) {
                pair.right.postReceive(1024);
                pair.left.run(SendWorkRequest.create(1).opcode(WrOpcode.SEND).sge(pair.left.memory, 0, 20)
                        .destination(peer, pair.right.qp.number(), 0x11));
            }
            assertEquals(WcStatus.SUCCESS, pair.right.next());
            running.flush();

            RocePacket packet = captured().getFirst();
            assertEquals(ipv6.gid(), packet.source());
            assertEquals(ipv6.gid(), packet.destination());
        }
    }

    private static GidEntry ipv6(PairOfQueuePairs pair) {
        return pair.left.context.queryGidTable().stream().filter(entry -> !entry.gid().isIpv4Mapped())
                .findFirst().orElseThrow();
    }

    @Test
    void aDatagramToAGroupIsCapturedOnceAtTheCapturedDevice() throws Exception {
        Gid group = Gid.parse("::ffff:239.1.2.4");
        try (PairOfQueuePairs pair = new PairOfQueuePairs("soft:soft74", "soft:soft75", QpType.UD);
                PairOfQueuePairs members = new PairOfQueuePairs("soft:soft76", "soft:soft76", QpType.UD);
                PacketCapture.Running running = capture(members);
                AddressHandle all = pair.left.pd.createAddressHandle(
                        AhAttributes.to(group, 1, pair.left.context.preferredGid(1).index()))) {
            pair.right.qp.attachMulticast(group, 0);
            members.left.qp.attachMulticast(group, 0);
            members.right.qp.attachMulticast(group, 0);
            pair.left.run(SendWorkRequest.create(1).opcode(WrOpcode.SEND).sge(pair.left.memory, 0, 21)
                    .destination(all, 0xFFFFFF, 0x11));
            members.right.qp.detachMulticast(group, 0);
            members.left.qp.detachMulticast(group, 0);
            pair.right.qp.detachMulticast(group, 0);
            running.flush();

            List<RocePacket> packets = Pcapng.packets(file());
            assertEquals(List.of("UD_SEND_ONLY 21"), names(packets));
            assertFalse(packets.getFirst().leaving());
            assertEquals("soft76", packets.getFirst().device());
        }
    }
}
