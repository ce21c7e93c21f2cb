package io.jverbs.soft.capture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Gid;
import io.jverbs.RdmaContext;
import io.jverbs.control.PacketCapture;
import io.jverbs.soft.PairOfQueuePairs;
import io.jverbs.soft.fabric.RealTimers;
import io.jverbs.soft.fabric.udp.ScriptedDevice;
import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.wire.Icrc;
import io.jverbs.soft.wire.SendBuffer;
import io.jverbs.soft.wire.WireOpcode;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packets of a coalesced message are captured one by one, and each is received as well. */
final class CoalescedCaptureTest {
    private static final Gid OWN = Gid.parse("::ffff:192.0.2.1");
    private static final Gid PEER = Gid.parse("::ffff:192.0.2.2");
    private static final int PORT = 4791;
    private static final int PAYLOAD = 64;
    private static final int QPN = 9;

    @TempDir
    private Path folder;

    /** Returns a packet whose ICRC covers an IPv4 ID. */
    private static ByteBuffer packet(int psn, int payload, int id) {
        SendBuffer packet = new SendBuffer();
        packet.encoder().begin(packet.buffer(), WireOpcode.SEND_ONLY, 0, 0xFFFF, QPN, psn, payload);
        Icrc icrc = packet.icrc();
        icrc.setAddresses(PEER.high(), PEER.low(), PORT, OWN.high(), OWN.low(), PORT);
        icrc.setIpId(id);
        packet.encoder().finish(icrc);
        return packet.buffer().bytes();
    }

    @Test
    void eachCoalescedPacketIsCapturedWithItsId() throws Exception {
        Path file = folder.resolve("coalesced.pcapng");
        ScriptedDevice device = new ScriptedDevice(OWN, new RealTimers(), new Random(1), (packet, to) -> {});
        ByteBuffer message = ByteBuffer.allocate(1000);
        int each = packet(0, PAYLOAD, 0).remaining();
        for (int i = 0; i < 3; i++) {
            message.put(packet(i, PAYLOAD, i));
        }
        // a damaged packet is captured with the ID of its position
        message.put(packet(3, PAYLOAD, 3).put(20, (byte) 1)).put(packet(4, 8, 4)).flip();
        try (RdmaContext context = device.open();
                PacketCapture.Running running = PairOfQueuePairs.capture(context.device()).start(file.toString())) {
            device.wire().deliverPiece(message, new InetSocketAddress(PEER.toInetAddress(), PORT), each);
            running.flush();
        }

        List<RocePacket> packets = Pcapng.packets(file);
        assertEquals(List.of(0, 1, 2, 3, 4), packets.stream().map(RocePacket::psn).toList());
        assertEquals(List.of(0, 1, 2, 3, 4), packets.stream().map(packet -> ipId(packet.bytes())).toList());
        assertEquals(List.of(true, true, true, false, true), packets.stream().map(RocePacket::hasGoodIcrc).toList());
        assertEquals(List.of(PAYLOAD, PAYLOAD, PAYLOAD, PAYLOAD, 8),
                packets.stream().map(packet -> packet.payload().length).toList());
        assertEquals(4, device.port().counted(Counter.UNKNOWN_QUEUE_PAIR));
        assertEquals(1, device.port().counted(Counter.BAD_ICRC));
    }

    private static int ipId(byte[] packet) {
        return ByteBuffer.wrap(packet).getShort(4) & 0xFFFF;
    }
}
