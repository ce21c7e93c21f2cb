package io.jverbs.soft.capture;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.QpType;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcStatus;
import io.jverbs.WrOpcode;
import io.jverbs.control.PacketCapture;
import io.jverbs.control.PacketLoss;
import io.jverbs.control.PortControl;
import io.jverbs.soft.PairOfQueuePairs;
import io.jverbs.soft.wire.Aeth;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Traffic of connections within the JVM is captured as the packets that would be sent over a network. Catalogue part L
 * describes those packets.
 */
final class InJvmCaptureTest extends InJvmCapture {
    @Test
    void aLongWriteIsCapturedAsItsPacketsAndAnAcknowledgement() throws Exception {
        long before = nanos();
        try (PairOfQueuePairs pair = PairOfQueuePairs.within(QpType.RC);
                PacketCapture.Running running = capture(pair)) {
            assertEquals(WcStatus.SUCCESS, pair.left.run(pair.request(LONG_MESSAGE).opcode(WrOpcode.RDMA_WRITE)));
            running.flush();

            List<RocePacket> packets = captured();
            assertEquals(List.of("RC_WRITE_FIRST 256", "RC_WRITE_MIDDLE 256", "RC_WRITE_LAST 10", "RC_ACKNOWLEDGE"),
                    names(packets));
            assertEquals(List.of(0xFFFFFE, 0xFFFFFF, 0, 0), psns(packets));
            RocePacket first = packets.getFirst();
            assertEquals(pair.right.memory.address(), first.longExtension(0));
            assertEquals(pair.right.memory.rkey(), first.extension(8));
            assertEquals(LONG_MESSAGE, first.extension(12));
            assertEquals(pair.left.context.preferredGid(1).gid(), first.source());
            assertEquals(pair.right.context.preferredGid(1).gid(), first.destination());
            assertEquals(List.of(false, false, true, false),
                    packets.stream().map(RocePacket::asksForAcknowledgement).toList());
            assertEquals(Aeth.ACK << 24 | 1, packets.get(3).extension(0));
            assertEquals(List.of(pair.right.qp.number(), pair.right.qp.number(), pair.right.qp.number(),
                    pair.left.qp.number()), packets.stream().map(RocePacket::destinationQpn).toList());
            assertArrayEquals(payload(pair.left, 0, LONG_MESSAGE), join(packets.subList(0, 3)));
            assertEquals(packets.size(), running.packets());
            assertEquals(0, running.dropped());
            assertTrue(packets.getFirst().nanos() >= before && packets.getLast().nanos() <= nanos(),
                    "the timestamps are within the time of the test");
            assertTrue(packets.stream().map(RocePacket::nanos).sorted().toList()
                    .equals(packets.stream().map(RocePacket::nanos).toList()),
                    "the packets are in the order of their timestamps");
        }
    }

    private static long nanos() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }

    private static byte[] join(List<RocePacket> packets) {
        byte[] all = new byte[packets.stream().mapToInt(packet -> packet.payload().length).sum()];
        int at = 0;
        for (RocePacket packet : packets) {
            System.arraycopy(packet.payload(), 0, all, at, packet.payload().length);
            at += packet.payload().length;
        }
        return all;
    }

    @Test
    void sendsAndWritesCarryImmediateAndInlineData() throws Exception {
        try (PairOfQueuePairs pair = PairOfQueuePairs.within(QpType.RC);
                PacketCapture.Running running = capture(pair)) {
            pair.right.postReceive(1024);
            pair.right.postReceive(1024);
            pair.right.postReceive(1024);
            pair.right.postReceive(1024);
            pair.left.run(pair.request(3).opcode(WrOpcode.SEND).flags(SendFlags.SOLICITED));
            pair.left.run(pair.request(300).opcode(WrOpcode.SEND_WITH_IMM).immediate(IMMEDIATE));
            pair.left.run(pair.request(0).opcode(WrOpcode.RDMA_WRITE_WITH_IMM).immediate(IMMEDIATE));
            pair.left.run(SendWorkRequest.create(1).wrId(1).opcode(WrOpcode.SEND).sge(0,
                    pair.left.memory.segment().asSlice(7, 5)).flags(SendFlags.INLINE));
            running.flush();

            List<RocePacket> packets = captured();
            assertEquals(List.of("RC_SEND_ONLY 3", "RC_ACKNOWLEDGE", "RC_SEND_FIRST 256", "RC_SEND_LAST_WITH_IMM 44",
                    "RC_ACKNOWLEDGE", "RC_WRITE_ONLY_WITH_IMM 0", "RC_ACKNOWLEDGE", "RC_SEND_ONLY 5", "RC_ACKNOWLEDGE"),
                    names(packets));
            assertTrue(packets.getFirst().isSolicited());
            assertFalse(packets.get(2).isSolicited());
            assertEquals(IMMEDIATE, packets.get(3).lastExtension());
            assertEquals(IMMEDIATE, packets.get(5).lastExtension());
            assertArrayEquals(payload(pair.left, 7, 5), packets.get(7).payload());
            assertEquals(List.of(1, 2, 3, 4), packets.stream().filter(packet -> packet.name().equals("RC_ACKNOWLEDGE"))
                    .map(packet -> packet.extension(0) & 0xFFFFFF).toList());
        }
    }

    @Test
    void readResponsesCarryTheData() throws Exception {
        try (PairOfQueuePairs pair = PairOfQueuePairs.within(QpType.RC);
                PacketCapture.Running running = capture(pair)) {
            pair.left.run(pair.request(LONG_MESSAGE).opcode(WrOpcode.RDMA_READ));
            pair.left.run(pair.request(8).opcode(WrOpcode.RDMA_READ));
            running.flush();

            List<RocePacket> packets = captured();
            assertEquals(List.of("RC_READ_REQUEST", "RC_READ_RESPONSE_FIRST 256", "RC_READ_RESPONSE_MIDDLE 256",
                    "RC_READ_RESPONSE_LAST 10", "RC_READ_REQUEST", "RC_READ_RESPONSE_ONLY 8"), names(packets));
            assertEquals(List.of(0xFFFFFE, 0xFFFFFE, 0xFFFFFF, 0, 1, 1), psns(packets));
            assertEquals(LONG_MESSAGE, packets.getFirst().extension(12));
            assertArrayEquals(payload(pair.right, 0, LONG_MESSAGE), join(packets.subList(1, 4)));
        }
    }

    @Test
    void atomicResponsesCarryTheOriginalValue() throws Exception {
        try (PairOfQueuePairs pair = PairOfQueuePairs.within(QpType.RC);
                PacketCapture.Running running = capture(pair)) {
            pair.right.memory.segment().set(ValueLayout.JAVA_LONG, 0, 40);
            SendWorkRequest request = SendWorkRequest.create(1).wrId(1).sge(pair.left.memory, 0, 8);
            pair.left.run(request.fetchAndAdd(pair.right.memory.address(), pair.right.memory.rkey(), 2));
            pair.left.run(request.compareAndSwap(pair.right.memory.address(), pair.right.memory.rkey(), 42, 5));
            running.flush();

            List<RocePacket> packets = captured();
            assertEquals(List.of("RC_FETCH_ADD", "RC_ATOMIC_ACKNOWLEDGE", "RC_COMPARE_SWAP", "RC_ATOMIC_ACKNOWLEDGE"),
                    names(packets));
            assertEquals(2, packets.getFirst().longExtension(12));
            assertEquals(40, packets.get(1).longExtension(4));
            assertEquals(5, packets.get(2).longExtension(12));
            assertEquals(42, packets.get(2).longExtension(20));
            assertEquals(42, packets.get(3).longExtension(4));
        }
    }

    @Test
    void aReceiverThatIsNotReadySendsAnRnrNakForEachAttempt() throws Exception {
        try (PairOfQueuePairs pair = PairOfQueuePairs.within(QpType.RC);
                PacketCapture.Running running = capture(pair)) {
            assertEquals(WcStatus.RNR_RETRY_EXC_ERR, pair.left.run(pair.request(8).opcode(WrOpcode.SEND)));
            running.flush();

            List<RocePacket> packets = captured();
            assertEquals(List.of("RC_SEND_ONLY 8", "RC_ACKNOWLEDGE", "RC_SEND_ONLY 8", "RC_ACKNOWLEDGE"),
                    names(packets));
            assertEquals(Aeth.rnrNak(1), packets.get(1).extension(0) >>> 24);
            assertEquals(0, packets.get(1).extension(0) & 0xFFFFFF);
        }
    }

    @Test
    void aWrongRkeyIsRefusedWithANak() throws Exception {
        try (PairOfQueuePairs pair = PairOfQueuePairs.within(QpType.RC);
                PacketCapture.Running running = capture(pair)) {
            assertEquals(WcStatus.REM_ACCESS_ERR, pair.left.run(pair.request(8).opcode(WrOpcode.RDMA_WRITE)
                    .remote(pair.right.memory.address(), ~pair.right.memory.rkey())));
            running.flush();

            assertEquals(Aeth.NAK_REMOTE_ACCESS_ERROR, captured().get(1).extension(0) >>> 24);
        }
    }

    @Test
    void retransmissionsAreCapturedAndPacketsThatAPulledCableStopsAreNot() throws Exception {
        try (PairOfQueuePairs pair = PairOfQueuePairs.within(QpType.RC);
                PacketCapture.Running running = capture(pair)) {
            PortControl port = pair.leftDevice.capability(PortControl.class).orElseThrow();
            pair.right.qp.close();
            assertEquals(WcStatus.RETRY_EXC_ERR, pair.left.run(pair.request(8).opcode(WrOpcode.RDMA_WRITE)));
            running.flush();
            assertEquals(List.of("RC_WRITE_ONLY 8", "RC_WRITE_ONLY 8"), names(captured()));
            assertEquals(List.of(0xFFFFFE, 0xFFFFFE), psns(captured()));
            try (PairOfQueuePairs other = PairOfQueuePairs.within(QpType.RC)) {
                port.pullCable(1);
                assertEquals(WcStatus.RETRY_EXC_ERR, other.left.run(other.request(8).opcode(WrOpcode.RDMA_WRITE)));
            } finally {
                port.plugCable(1);
            }
            running.flush();
            assertEquals(2, captured().size());
        }
    }

    @Test
    void unreliableConnectionsHaveNoAcknowledgements() throws Exception {
        try (PairOfQueuePairs pair = PairOfQueuePairs.within(QpType.UC);
                PacketCapture.Running running = capture(pair)) {
            pair.right.postReceive(1024);
            pair.left.run(pair.request(300).opcode(WrOpcode.SEND));
            pair.left.run(pair.request(1).opcode(WrOpcode.RDMA_WRITE));
            running.flush();

            assertEquals(List.of("UC_SEND_FIRST 256", "UC_SEND_LAST 44", "UC_WRITE_ONLY 1"), names(captured()));
        }
    }

    /**
     * A connection that has used the fast path is captured from the start of the capture to its end, and continues to
     * work afterwards.
     */
    @Test
    void aCaptureStartsAndEndsWhileAConnectionIsInUse() throws Exception {
        try (PairOfQueuePairs pair = PairOfQueuePairs.within(QpType.RC)) {
            SendWorkRequest request = pair.request(8).opcode(WrOpcode.RDMA_WRITE);
            for (int i = 0; i < 10; i++) {
                assertEquals(WcStatus.SUCCESS, pair.left.run(request));
            }
            try (PacketCapture.Running running = capture(pair)) {
                assertEquals(file(), running.file());
                for (int i = 0; i < 3; i++) {
                    assertEquals(WcStatus.SUCCESS, pair.left.run(request));
                }
            }
            for (int i = 0; i < 10; i++) {
                assertEquals(WcStatus.SUCCESS, pair.left.run(request));
            }
            assertEquals(List.of(8, 8, 9, 9, 10, 10), psns(captured()));
            List<Pcapng.Statistics> statistics = Pcapng.read(file()).statistics();
            assertEquals(List.of(new Pcapng.Statistics("soft0", 6, 0)), statistics);
        }
    }

    /** L34: the MSN counts all messages, captured or not, and a retransmitted message once. */
    @Test
    void theMsnCountsTheMessagesOfTheConnection() throws Exception {
        try (PairOfQueuePairs pair = PairOfQueuePairs.within(QpType.RC)) {
            SendWorkRequest request = pair.request(8).opcode(WrOpcode.RDMA_WRITE);
            for (int i = 0; i < 3; i++) {
                assertEquals(WcStatus.SUCCESS, pair.left.run(request));
            }
            try (PacketCapture.Running running = capture(pair)) {
                assertEquals(WcStatus.SUCCESS, pair.left.run(request));
                loseOne(pair, request);
                assertEquals(WcStatus.REM_ACCESS_ERR, pair.left.run(pair.request(8).opcode(WrOpcode.RDMA_WRITE)
                        .remote(pair.right.memory.address(), ~pair.right.memory.rkey())));
                pair.reconnect();
                assertEquals(WcStatus.SUCCESS, pair.left.run(request));
                assertEquals(0, running.dropped());
            }
            List<RocePacket> acknowledgements = captured().stream()
                    .filter(packet -> packet.name().equals("RC_ACKNOWLEDGE"))
                    .toList();
            assertEquals(List.of(4, 5, 5, 1),
                    acknowledgements.stream().map(each -> each.extension(0) & 0xFFFFFF).toList());
        }
    }

    private static void loseOne(PairOfQueuePairs pair, SendWorkRequest request) {
        PacketLoss losses = pair.rightDevice.capability(PacketLoss.class).orElseThrow();
        AtomicInteger arrivals = new AtomicInteger();
        IntPredicate first = qpn -> qpn == pair.right.qp.number() && arrivals.getAndIncrement() == 0;
        losses.add(first);
        try {
            assertEquals(WcStatus.SUCCESS, pair.left.run(request));
        } finally {
            losses.remove(first);
        }
        assertTrue(arrivals.get() > 1, "the request was retransmitted");
    }

    @Test
    void oneOrBothOfTwoDevicesAreCapturedIntoOneFile() throws Exception {
        try (PairOfQueuePairs pair = new PairOfQueuePairs("soft:soft1", "soft:soft2", QpType.RC)) {
            SendWorkRequest request = pair.request(8).opcode(WrOpcode.RDMA_WRITE);
            PacketCapture.Running right = PairOfQueuePairs.capture(pair.rightDevice).start(file().toString());
            pair.left.run(request);
            PacketCapture.Running left = PairOfQueuePairs.capture(pair.leftDevice).start(file().toString());
            pair.left.run(request);
            right.close();
            pair.left.run(request);
            left.close();

            Pcapng pcapng = Pcapng.read(file());
            assertEquals(List.of("soft2", "soft1"), pcapng.interfaces().stream().map(Pcapng.Interface::name).toList());
            assertEquals(
                    List.of("soft2 in RC_WRITE_ONLY 8", "soft2 out RC_ACKNOWLEDGE", "soft1 out RC_WRITE_ONLY 8",
                            "soft2 out RC_ACKNOWLEDGE", "soft1 out RC_WRITE_ONLY 8", "soft1 in RC_ACKNOWLEDGE"),
                    pcapng.packets().stream()
                            .map(packet -> packet.device() + (packet.leaving() ? " out " : " in ") + packet).toList());
        }
    }

    @Test
    void packetsAreTruncatedToTheSnapLength() throws Exception {
        try (PairOfQueuePairs pair = PairOfQueuePairs.within(QpType.RC);
                PacketCapture.Running running = PairOfQueuePairs.capture(pair.leftDevice)
                        .start(file() + "?snap=100&buffer=1")) {
            pair.left.run(pair.request(200).opcode(WrOpcode.RDMA_WRITE));
            running.flush();

            RocePacket packet = Pcapng.packets(file()).getFirst();
            assertEquals(100, packet.bytes().length);
            int headers = packet.length() - 200 - 4;
            assertArrayEquals(Arrays.copyOf(payload(pair.left, 0, 200), 100 - headers),
                    Arrays.copyOfRange(packet.bytes(), headers, 100));
        }
    }

    @Test
    void aReadWithAWrongLkeyStillHasAResponse() throws Exception {
        try (PairOfQueuePairs pair = PairOfQueuePairs.within(QpType.RC);
                PacketCapture.Running running = capture(pair)) {
            SendWorkRequest request = pair.request(100).opcode(WrOpcode.RDMA_READ);
            request.sge(0, pair.left.memory.address(), 100, ~pair.left.memory.lkey());
            assertEquals(WcStatus.LOC_PROT_ERR, pair.left.run(request));
            running.flush();

            List<RocePacket> packets = Pcapng.packets(file());
            assertEquals(List.of("RC_READ_REQUEST", "RC_READ_RESPONSE_ONLY"),
                    packets.stream().map(RocePacket::name).toList());
            assertEquals(packets.get(1).length() - 100 - 4, packets.get(1).bytes().length,
                    "the payload is not known, so it is not captured");
        }
    }

    @Test
    void packetsOfManyThreadsAreCapturedIntact() throws Exception {
        int threads = 4;
        int requests = 200;
        try (PairOfQueuePairs first = PairOfQueuePairs.within(QpType.RC);
                PacketCapture.Running running = capture(first)) {
            List<Thread> all = IntStream.range(0, threads)
                    .mapToObj(i -> Thread.ofPlatform().start(() -> {
                        try (PairOfQueuePairs pair = PairOfQueuePairs.within(QpType.RC)) {
                            for (int k = 0; k < requests; k++) {
                                pair.left.run(pair.request(LONG_MESSAGE).opcode(WrOpcode.RDMA_WRITE));
                            }
                        }
                    })).toList();
            for (Thread thread : all) {
                assertTrue(thread.join(Duration.ofSeconds(60)));
            }
            running.flush();
            assertEquals(4 * threads * requests, running.packets() + running.dropped());
            assertEquals(running.packets(), captured().size());
            assertEquals(0, running.dropped());
        }
    }
}
