package io.jverbs.soft.capture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.control.PacketCapture;
import io.jverbs.soft.PairOfQueuePairs;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** Base of the tests that capture traffic within the JVM into a file. */
abstract class InJvmCapture {
    static final int LONG_MESSAGE = 2 * PairOfQueuePairs.MTU + 10;
    static final int IMMEDIATE = 0x01020304;

    @TempDir
    private Path folder;

    Path file() {
        return folder.resolve("capture.pcapng");
    }

    PacketCapture.Running capture(PairOfQueuePairs pair) {
        return PairOfQueuePairs.capture(pair.leftDevice).start(file().toString());
    }

    List<RocePacket> captured() throws Exception {
        List<RocePacket> packets = Pcapng.packets(file());
        for (RocePacket packet : packets) {
            assertTrue(packet.hasGoodIcrc(), packet::toString);
            assertTrue(packet.leaving(), "within one device each packet is captured once, as outgoing");
            assertEquals("soft0", packet.device());
            assertEquals(0xFFFF, packet.pkey());
        }
        return packets;
    }

    static List<String> names(List<RocePacket> packets) {
        return packets.stream().map(RocePacket::toString).toList();
    }

    static List<Integer> psns(List<RocePacket> packets) {
        return packets.stream().map(RocePacket::psn).toList();
    }

    static byte[] payload(PairOfQueuePairs.Side side, int from, int length) {
        return side.memory.segment().asSlice(from, length).toArray(ValueLayout.JAVA_BYTE);
    }
}
