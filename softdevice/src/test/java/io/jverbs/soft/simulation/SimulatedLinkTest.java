package io.jverbs.soft.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.QpType;
import io.jverbs.WcStatus;
import io.jverbs.control.SimulatedPacket;
import io.jverbs.control.SimulatedPacket.Fate;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The faults of links, and that reliable connections tolerate them. */
final class SimulatedLinkTest {
    private static final int PACKETS = 40;

    private static ConnectedPair pair(QpType type, int bytes, String options) {
        return new ConnectedPair(type, bytes, "seed=3&network=links&time=stepped" + options);
    }

    /** Writes {@link #PACKETS} times to the same memory; all writes arrive. */
    private static void writeAll(ConnectedPair pair) {
        for (int i = 1; i <= PACKETS; i++) {
            pair.write(i);
            pair.awaitSent(i);
            pair.assertWritten(i);
        }
    }

    @Test
    void packetArrivesAfterDelayOfLink() {
        try (ConnectedPair pair = pair(QpType.RC, 8, "&delay=10us")) {
            pair.write(1);
            pair.network.advance(Duration.ofNanos(9_999));
            pair.assertWritten(1 - 1);
            pair.network.advance(Duration.ofNanos(1));
            pair.assertWritten(1);
            assertFalse(pair.hasSent(), "the ACK takes as long");
            pair.network.advance(Duration.ofNanos(10_000));
            assertTrue(pair.hasSent());
            assertEquals(Duration.ofNanos(20_000), pair.network.now());
        }
    }

    @Test
    void delayCanDifferByDirection() {
        try (ConnectedPair pair = pair(QpType.RC, 8, "")) {
            pair.network.path(1, 0).delay(Duration.ofMillis(1));
            pair.write(1);
            pair.awaitSent(1);
            assertEquals(Duration.ofNanos(1_001_000), pair.network.now());
        }
    }

    @Test
    void jitterVariesDelayAndKeepsOrder() {
        try (ConnectedPair pair = pair(QpType.UC, 64, "&jitter=100us")) {
            for (int i = 0; i < PACKETS; i++) {
                pair.write(i);
                pair.network.advance(Duration.ofNanos(20_000));
            }
            pair.network.advance(Duration.ofMillis(1));
            List<SimulatedPacket> arrived = pair.packets(Fate.ARRIVED);
            assertEquals(PACKETS, arrived.size());
            for (int i = 1; i < PACKETS; i++) {
                assertTrue(arrived.get(i).arrives().compareTo(arrived.get(i - 1).arrives()) >= 0);
            }
            assertTrue(arrived.stream().map(SimulatedPacket::arrives).distinct().count() > PACKETS / 4);
            assertTrue(arrived.getFirst().arrives().toNanos() <= 101_000);
        }
    }

    @Test
    void shorterDelayKeepsOrderUntilLinkIsReset() {
        try (ConnectedPair pair = pair(QpType.UC, 8, "&delay=3600s")) {
            assertFalse(arrives(pair, 1));
            pair.network.path(0, 1).delay(Duration.ofNanos(1_000));
            assertFalse(arrives(pair, 2), "it would overtake the first one");
            pair.network.path(0, 1).perfect();
            assertTrue(arrives(pair, 3));
        }
    }

    @Test
    void perfectDiscardsQueueOfLimitedLink() {
        try (ConnectedPair pair = pair(QpType.UC, 125, "&bandwidth=1kbit")) {
            assertFalse(arrives(pair, 1));
            pair.network.links().perfect().bandwidth(1_000_000_000_000L);
            pair.write(2);
            pair.network.advance(Duration.ofNanos(1_002));
            pair.assertWritten(2);
        }
    }

    @Test
    void packetsAfterPartitionDoNotWaitForLostOnes() {
        try (ConnectedPair pair = pair(QpType.UC, 8, "")) {
            pair.network.path(0, 1).delay(Duration.ofHours(1));
            assertFalse(arrives(pair, 1));
            pair.network.path(0, 1).partition().heal().delay(Duration.ofNanos(1_000));
            assertTrue(arrives(pair, 2));
            pair.network.path(0, 1).delay(Duration.ofHours(1));
            assertFalse(arrives(pair, 3));
            pair.network.partition(1);
            pair.network.heal();
            pair.network.path(0, 1).delay(Duration.ofNanos(1_000));
            assertTrue(arrives(pair, 4));
        }
    }

    @Test
    void healOfIntactLinkKeepsOrder() {
        try (ConnectedPair pair = pair(QpType.UC, 8, "&delay=1ms")) {
            assertFalse(arrives(pair, 1));
            pair.network.path(0, 1).heal().delay(Duration.ofNanos(1_000));
            assertFalse(arrives(pair, 2));
        }
    }

    @Test
    void bandwidthLimitIncludesHeaders() {
        int packets = 200;
        try (ConnectedPair pair = pair(QpType.UC, 8, "&bandwidth=1000Gbit&delay=0ns")) {
            for (int i = 0; i < packets; i++) {
                pair.write(i);
            }
            // BTH, RETH, payload, ICRC, and IPv4 with UDP
            long bits = packets * 8L * (12 + 16 + 8 + 4 + 28);
            assertEquals(Duration.ofNanos(bits / 1_000), pair.network.packetLog().getLast().arrives());
        }
    }

    @Test
    void bandwidthLimitsBytesPerTime() {
        int bytes = 1 << 20;
        try (ConnectedPair pair = pair(QpType.UC, bytes, "&bandwidth=1Gbit&delay=0ns")) {
            pair.write(1);
            assertTrue(pair.network.runUntil(() -> pair.packets(Fate.IN_FLIGHT).isEmpty(), ConnectedPair.LONG));
            pair.assertWritten(1);
            double millis = pair.network.now().toNanos() / 1e6;
            double least = bytes * 8 / 1e6;
            assertTrue(millis > least && millis < 1.05 * least, millis + " ms");
        }
    }

    @Test
    void lostPacketsAreRetransmitted() {
        try (ConnectedPair pair = pair(QpType.RC, 8, "&loss=0.2")) {
            writeAll(pair);
            assertFalse(pair.packets(Fate.LOST).isEmpty());
        }
    }

    @Test
    void burstLossLosesConsecutivePackets() {
        try (ConnectedPair pair = pair(QpType.UC, 8, "&burst=0.02,0.2")) {
            for (int i = 0; i < 1000; i++) {
                pair.write(i);
                pair.awaitSent(i);
            }
            pair.network.advance(Duration.ofMillis(1));
            List<SimulatedPacket> packets = pair.network.packetLog();
            int lost = 0;
            int bursts = 0;
            boolean before = false;
            for (SimulatedPacket packet : packets) {
                boolean now = packet.fate() == Fate.LOST_IN_BURST;
                lost += now ? 1 : 0;
                bursts += now && !before ? 1 : 0;
                before = now;
            }
            // 1000 * 0.02 / (0.02 + 0.2) packets, five to a burst
            assertTrue(lost > 40 && lost < 200, lost + " lost");
            assertTrue(bursts > 0 && lost > 2.5 * bursts, lost + " lost in " + bursts + " bursts");
        }
    }

    @Test
    void duplicatePacketsAreExecutedOnce() {
        try (ConnectedPair pair = pair(QpType.RC, 8, "&duplicate=0.5")) {
            writeAll(pair);
            assertTrue(pair.packets(Fate.ARRIVED).stream().anyMatch(SimulatedPacket::copy));
            assertTrue(pair.counted(pair.right, "duplicate_request") > 0);
        }
    }

    @Test
    void reorderedPacketIsOvertaken() {
        try (ConnectedPair pair = pair(QpType.RC, 20_000, "&mtu=348&reorder=0.2,50us")) {
            pair.write(1);
            pair.awaitSent(1);
            pair.assertWritten(1);
            assertTrue(pair.network.packetLog().stream().anyMatch(SimulatedPacket::heldBack));
            assertTrue(pair.counted(pair.right, "out_of_seq_request") > 0);
        }
    }

    @Test
    void corruptedPacketsAreDetectedAndRetransmitted() {
        try (ConnectedPair pair = pair(QpType.RC, 300, "&corrupt=0.2")) {
            writeAll(pair);
            long damaged = pair.packets(Fate.ARRIVED).stream().filter(packet -> packet.flippedBits() > 0).count();
            long detected = pair.counted(pair.right, "bad_icrc") + pair.counted(pair.left, "bad_icrc")
                    + pair.counted(pair.right, "malformed") + pair.counted(pair.left, "malformed");
            assertTrue(damaged > 0, "no packet was damaged");
            // changes of three reserved bits and two congestion bits of the BTH are not detected
            assertTrue(detected > 0 && detected <= damaged, "detected " + detected + " of " + damaged);
        }
    }

    @Test
    void packetsLongerThanLinkMtuAreLost() {
        try (ConnectedPair pair = pair(QpType.RC, 4096, "")) {
            pair.network.links().mtu(1500);
            pair.write(1);
            assertTrue(pair.network.runUntil(pair::hasSent, ConnectedPair.LONG));
            assertEquals(WcStatus.RETRY_EXC_ERR, pair.status());
            assertFalse(pair.packets(Fate.TOO_LONG).isEmpty());
            pair.assertWritten(0);
        }
    }

    @Test
    void partitionLosesAllPacketsUntilHealed() {
        try (ConnectedPair pair = pair(QpType.RC, 8, "&delay=5us")) {
            pair.write(1);
            pair.network.advance(Duration.ofNanos(1_000));
            pair.network.link(0, 1).partition();
            pair.network.advance(Duration.ofMillis(100));
            pair.assertWritten(0);
            assertEquals(2, pair.packets(Fate.PARTITIONED).size(), "one in flight and one retransmission");
            pair.network.link(1, 0).heal();
            pair.awaitSent(1);
            pair.assertWritten(1);
        }
    }

    @Test
    void partitionedDeviceReachesOnlyDevicesInItsPartition() {
        try (ConnectedPair pair = pair(QpType.RC, 8, "")) {
            pair.network.partition(1);
            pair.write(1);
            pair.network.advance(Duration.ofMillis(1));
            assertEquals(1, pair.packets(Fate.PARTITIONED).size());
            pair.network.heal();
            pair.awaitSent(1);
            pair.network.partition(0, 1);
            pair.write(2);
            pair.awaitSent(2);
        }
    }

    /** Whether a packet arrives within a microsecond. */
    private static boolean arrives(ConnectedPair pair, int value) {
        pair.write(value);
        pair.network.advance(Duration.ofNanos(1_000));
        return pair.target.segment().get(ValueLayout.JAVA_BYTE, 0) == value;
    }

    @Test
    void healOfAllLinksEndsEveryPartition() {
        try (ConnectedPair pair = pair(QpType.UC, 8, "")) {
            pair.network.partition(1);
            pair.network.link(0, 1).heal().perfect();
            assertFalse(arrives(pair, 1), "healing a link does not end a partition of the network");
            pair.network.links().heal();
            assertTrue(arrives(pair, 2));
            pair.network.partition(1);
            pair.network.links().perfect();
            assertTrue(arrives(pair, 3));
            pair.network.path(0, 1).partition();
            pair.network.link(0, 1).perfect();
            assertTrue(arrives(pair, 4));
        }
    }

    @Test
    void perfectRemovesFaults() {
        try (ConnectedPair pair = pair(QpType.UC, 8, "&loss=1")) {
            pair.network.links().perfect();
            pair.write(5);
            pair.network.advance(Duration.ofNanos(1_000));
            pair.assertWritten(5);
        }
    }

    @Test
    void settingForAllLinksAppliesToLaterLinks() {
        try (ConnectedPair pair = pair(QpType.UC, 8, "")) {
            pair.network.links().partition();
            pair.write(1);
            pair.network.advance(Duration.ofMillis(1));
            pair.assertWritten(0);
            assertEquals(1, pair.packets(Fate.PARTITIONED).size());
        }
    }
}
