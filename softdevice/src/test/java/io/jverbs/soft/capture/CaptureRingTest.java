package io.jverbs.soft.capture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.WcStatus;
import io.jverbs.WrOpcode;
import io.jverbs.control.DeviceRemoval;
import io.jverbs.control.PacketCapture;
import io.jverbs.soft.PairOfQueuePairs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ring capture writes the latest packets when a queue pair fails, and nothing else. */
final class CaptureRingTest {
    private static final int RING = 10;
    private static final long DEADLINE_NANOS = Duration.ofSeconds(20).toNanos();

    @TempDir
    private Path folder;

    private Path file() {
        return folder.resolve("ring.pcapng");
    }

    private PacketCapture.Running capture(PairOfQueuePairs pair) {
        return PairOfQueuePairs.capture(pair.leftDevice).start(file() + "?ring=" + RING);
    }

    private static void fail(PairOfQueuePairs pair) {
        assertEquals(WcStatus.REM_ACCESS_ERR, pair.left.run(pair.request(8).opcode(WrOpcode.RDMA_WRITE)
                .remote(pair.right.memory.address(), ~pair.right.memory.rkey())));
    }

    private List<RocePacket> packets(int atLeast) throws Exception {
        long deadline = System.nanoTime() + DEADLINE_NANOS;
        List<RocePacket> packets = List.of();
        while (packets.size() < atLeast) {
            assertTrue(System.nanoTime() < deadline, "only " + packets.size() + " packets");
            Thread.sleep(5);
            packets = Pcapng.packets(file());
        }
        return packets;
    }

    @Test
    void theLatestPacketsAreWrittenAtEachFailureOfAQueuePair() throws Exception {
        try (PairOfQueuePairs pair = PairOfQueuePairs.within(QpType.RC);
                PairOfQueuePairs other = PairOfQueuePairs.within(
                        QpType.RC);
                PacketCapture.Running running = capture(pair)) {
            for (int i = 0; i < 50; i++) {
                pair.left.run(pair.request(8).opcode(WrOpcode.RDMA_WRITE));
            }
            assertEquals(100, running.packets());
            assertEquals(0, Pcapng.packets(file()).size());
            fail(pair);

            List<RocePacket> packets = packets(RING);
            assertEquals(RING, packets.size());
            assertEquals(List.of(46, 46, 47, 47, 48, 48), packets.stream().map(RocePacket::psn).toList().subList(4, 10),
                    "the last packet is the NAK");

            other.left.run(other.request(8).opcode(WrOpcode.RDMA_WRITE));
            fail(other);
            packets = packets(RING + 4);
            assertEquals(RING + 4, packets.size());
            assertEquals("RC_ACKNOWLEDGE", packets.getLast().name());
        }
        assertEquals(1, Pcapng.read(file()).statistics().size());
    }

    @Test
    void movingAQueuePairToErrWritesNothingUntilTheCaptureIsFlushed() throws Exception {
        try (PairOfQueuePairs pair = PairOfQueuePairs.within(QpType.RC);
                PacketCapture.Running running = capture(pair)) {
            pair.left.run(pair.request(8).opcode(WrOpcode.RDMA_WRITE));
            pair.left.qp.modify(QpAttributes.builder().state(QpState.ERR).build());
            pair.right.qp.modify(QpAttributes.builder().state(QpState.ERR).build());
            assertEquals(0, Pcapng.packets(file()).size());

            running.flush();
            assertEquals(2, Pcapng.packets(file()).size());
            running.flush();
            assertEquals(2, Pcapng.packets(file()).size(), "packets that were written are no longer held");
        }
    }

    @Test
    void theLatestPacketsAreWrittenWhenTheDeviceIsRemoved() throws Exception {
        try (PairOfQueuePairs pair = new PairOfQueuePairs("soft:soft71", "soft:soft71", QpType.RC)) {
            PacketCapture.Running running = capture(pair);
            for (int i = 0; i < RING; i++) {
                pair.left.run(pair.request(8).opcode(WrOpcode.RDMA_WRITE));
            }
            pair.leftDevice.capability(DeviceRemoval.class).orElseThrow().remove();

            assertEquals(RING, Pcapng.packets(file()).size(), "the removal has ended the capture");
            assertEquals(new Pcapng.Statistics("soft71", running.packets(), 0),
                    Pcapng.read(file()).statistics().getFirst());
        }
    }

    @Test
    void packetsThatAreHeldWhenTheCaptureEndsAreNotWritten() throws Exception {
        try (PairOfQueuePairs pair = PairOfQueuePairs.within(QpType.RC);
                PacketCapture.Running running = capture(pair)) {
            pair.left.run(pair.request(8).opcode(WrOpcode.RDMA_WRITE));
            assertEquals(2, running.packets());
        }
        assertEquals(0, Pcapng.packets(file()).size());
    }
}
