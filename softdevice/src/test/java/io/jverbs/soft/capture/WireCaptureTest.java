package io.jverbs.soft.capture;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.QpType;
import io.jverbs.WcStatus;
import io.jverbs.WrOpcode;
import io.jverbs.control.PacketCapture;
import io.jverbs.soft.LoopbackAddress;
import io.jverbs.soft.PairOfQueuePairs;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * On the wire a packet is captured when it is sent and when it arrives, with sockets of any kind, even if it is then
 * dropped.
 */
final class WireCaptureTest {
    private static final String LEFT = LoopbackAddress.next();
    private static final String RIGHT = LoopbackAddress.next();
    private static final long DEADLINE_NANOS = Duration.ofSeconds(20).toNanos();
    private static final int CAPTURES = 10;
    private static final int WRITES = 20;

    @TempDir
    private Path folder;

    private Path file(String name) {
        return folder.resolve(name);
    }

    private static PairOfQueuePairs pair(QpType type) {
        return new PairOfQueuePairs("soft:" + LEFT + "?fabric=wire", "soft:" + RIGHT + "?fabric=wire", type);
    }

    private static List<String> names(List<RocePacket> packets, boolean leaving) {
        return packets.stream().filter(packet -> packet.leaving() == leaving).map(RocePacket::toString).toList();
    }

    @Test
    void packetsThatOneSideSendsAreThoseThatTheOtherReceives() throws Exception {
        try (PairOfQueuePairs pair = pair(QpType.RC);
                PacketCapture.Running left = PairOfQueuePairs.capture(pair.leftDevice)
                        .start(file("left").toString());
                PacketCapture.Running right = PairOfQueuePairs.capture(pair.rightDevice)
                        .start(file("right").toString())) {
            assertEquals(WcStatus.SUCCESS, pair.left.run(pair.request(1000).opcode(WrOpcode.RDMA_WRITE)));
            assertEquals(WcStatus.SUCCESS, pair.left.run(pair.request(1000).opcode(WrOpcode.RDMA_READ)));
            left.flush();
            right.flush();

            List<RocePacket> ours = Pcapng.packets(file("left"));
            List<RocePacket> theirs = Pcapng.packets(file("right"));
            List<String> requests = List.of("RC_WRITE_FIRST 256", "RC_WRITE_MIDDLE 256", "RC_WRITE_MIDDLE 256",
                    "RC_WRITE_LAST 232", "RC_READ_REQUEST");
            List<String> responses = List.of("RC_ACKNOWLEDGE", "RC_READ_RESPONSE_FIRST 256",
                    "RC_READ_RESPONSE_MIDDLE 256", "RC_READ_RESPONSE_MIDDLE 256", "RC_READ_RESPONSE_LAST 232");
            assertEquals(requests, names(ours, true));
            assertEquals(requests, names(theirs, false));
            assertEquals(responses, names(ours, false));
            assertEquals(responses, names(theirs, true));
            for (RocePacket packet : ours) {
                assertTrue(packet.hasGoodIcrc(), packet::toString);
                RocePacket twin = theirs.stream().filter(other -> other.toString().equals(packet.toString())
                        && other.psn() == packet.psn()).findFirst().orElseThrow();
                assertTrue(twin.hasGoodIcrc(), twin::toString);
                assertArrayEquals(packet.payload(), twin.payload());
                assertEquals(packet.source(), twin.source());
                assertEquals(packet.destination(), twin.destination());
            }
        }
    }

    @Test
    void aDroppedPacketIsCaptured() throws Exception {
        try (PairOfQueuePairs pair = pair(QpType.RC);
                PacketCapture.Running running = PairOfQueuePairs.capture(pair.rightDevice)
                        .start(file("drops").toString());
                DatagramChannel stranger = DatagramChannel.open().bind(new InetSocketAddress(LEFT, 0))) {
            stranger.send(ByteBuffer.wrap("no packet".getBytes()), new InetSocketAddress(RIGHT, 4791));
            long deadline = System.nanoTime() + DEADLINE_NANOS;
            while (running.packets() == 0) {
                assertTrue(System.nanoTime() < deadline, "no packet was captured");
                Thread.onSpinWait();
            }
            running.flush();

            RocePacket packet = Pcapng.packets(file("drops")).getFirst();
            assertEquals("no packet", new String(packet.bytes(), 28, packet.bytes().length - 28));
            assertEquals(((InetSocketAddress) stranger.getLocalAddress()).getPort(),
                    ByteBuffer.wrap(packet.bytes()).getShort(20) & 0xFFFF);
        }
    }

    @Test
    void aCaptureStartsAndEndsUnderTraffic() throws Exception {
        try (PairOfQueuePairs pair = pair(QpType.RC)) {
            AtomicBoolean stop = new AtomicBoolean();
            AtomicLong writes = new AtomicLong();
            CompletableFuture<Void> traffic = CompletableFuture.runAsync(() -> {
                while (!stop.get()) {
                    assertEquals(WcStatus.SUCCESS, pair.left.run(pair.request(8).opcode(WrOpcode.RDMA_WRITE)));
                    writes.incrementAndGet();
                }
            });
            try {
                for (int i = 0; i < CAPTURES; i++) {
                    awaitMore(writes, traffic);
                    Path file = file("some" + i);
                    PacketCapture.Running running = PairOfQueuePairs.capture(pair.leftDevice).start(file.toString());
                    awaitMore(writes, traffic);
                    running.close();
                    checkOneRun(file, running);
                }
            } finally {
                stop.set(true);
            }
            traffic.get(DEADLINE_NANOS, TimeUnit.NANOSECONDS);
        }
    }

    private static void awaitMore(AtomicLong writes, CompletableFuture<Void> traffic) {
        long start = writes.get();
        long deadline = System.nanoTime() + DEADLINE_NANOS;
        while (writes.get() < start + WRITES && !traffic.isCompletedExceptionally()) {
            assertTrue(System.nanoTime() < deadline, "the traffic has stopped");
            Thread.onSpinWait();
        }
    }

    /** Checks that the file has every packet from the first to the last. */
    private static void checkOneRun(Path file, PacketCapture.Running running) throws IOException {
        List<RocePacket> packets = Pcapng.packets(file);
        assertEquals(0, running.dropped());
        assertEquals(running.packets(), packets.size());
        assertTrue(packets.size() >= WRITES, packets::toString);
        assertEquals(List.of(), packets.stream().filter(packet -> !packet.hasGoodIcrc()).toList());
        List<Integer> psns = packets.stream().filter(RocePacket::leaving).map(RocePacket::psn).distinct().toList();
        assertEquals(IntStream.range(0, psns.size()).mapToObj(i -> psns.getFirst() + i & 0xFFFFFF).toList(), psns);
    }
}
