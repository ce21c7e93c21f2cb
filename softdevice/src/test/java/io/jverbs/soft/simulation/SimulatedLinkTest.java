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

/** What links do to packets, and that what is reliable lives with it. */
final class SimulatedLinkTest {
    private static final int PACKETS = 40;

    private static Couple couple(QpType type, int bytes, String options) {
        return new Couple(type, bytes, "seed=3&network=links&time=stepped" + options);
    }

    /** Writes so often, each over the one before; all arrive. */
    private static void writeAll(Couple couple) {
        for (int i = 1; i <= PACKETS; i++) {
            couple.write(i);
            couple.awaitSent(i);
            couple.assertWritten(i);
        }
    }

    @Test
    void aPacketTakesAsLongAsItsLink() {
        try (Couple couple = couple(QpType.RC, 8, "&delay=10us")) {
            couple.write(1);
            couple.network.advance(Duration.ofNanos(9_999));
            couple.assertWritten(1 - 1);
            couple.network.advance(Duration.ofNanos(1));
            couple.assertWritten(1);
            assertFalse(couple.hasSent(), "the answer takes as long");
            couple.network.advance(Duration.ofNanos(10_000));
            assertTrue(couple.hasSent());
            assertEquals(Duration.ofNanos(20_000), couple.network.now());
        }
    }

    @Test
    void aDirectionCanBeSlowerThanTheOther() {
        try (Couple couple = couple(QpType.RC, 8, "")) {
            couple.network.path(1, 0).delay(Duration.ofMillis(1));
            couple.write(1);
            couple.awaitSent(1);
            assertEquals(Duration.ofNanos(1_001_000), couple.network.now());
        }
    }

    @Test
    void jitterDelaysUnevenlyAndKeepsTheOrder() {
        try (Couple couple = couple(QpType.UC, 64, "&jitter=100us")) {
            for (int i = 0; i < PACKETS; i++) {
                couple.write(i);
                couple.network.advance(Duration.ofNanos(20_000));
            }
            couple.network.advance(Duration.ofMillis(1));
            List<SimulatedPacket> arrived = couple.packets(Fate.ARRIVED);
            assertEquals(PACKETS, arrived.size());
            for (int i = 1; i < PACKETS; i++) {
                assertTrue(arrived.get(i).arrives().compareTo(arrived.get(i - 1).arrives()) >= 0);
            }
            assertTrue(arrived.stream().map(SimulatedPacket::arrives).distinct().count() > PACKETS / 4);
            assertTrue(arrived.getFirst().arrives().toNanos() <= 101_000);
        }
    }

    @Test
    void aFasterLinkKeepsTheOrderUntilItIsPerfect() {
        try (Couple couple = couple(QpType.UC, 8, "&delay=3600s")) {
            assertFalse(passes(couple, 1));
            couple.network.path(0, 1).delay(Duration.ofNanos(1_000));
            assertFalse(passes(couple, 2), "it would be overtaken");
            couple.network.path(0, 1).perfect();
            assertTrue(passes(couple, 3));
        }
    }

    @Test
    void whatWaitedInLineIsForgottenOnAPerfectLink() {
        try (Couple couple = couple(QpType.UC, 125, "&bandwidth=1kbit")) {
            assertFalse(passes(couple, 1));
            couple.network.links().perfect().bandwidth(1_000_000_000_000L);
            couple.write(2);
            couple.network.advance(Duration.ofNanos(1_002));
            couple.assertWritten(2);
        }
    }

    @Test
    void afterAPartitionNothingWaitsForWhatWasLost() {
        try (Couple couple = couple(QpType.UC, 8, "")) {
            couple.network.path(0, 1).delay(Duration.ofHours(1));
            assertFalse(passes(couple, 1));
            couple.network.path(0, 1).partition().heal().delay(Duration.ofNanos(1_000));
            assertTrue(passes(couple, 2));
            couple.network.path(0, 1).delay(Duration.ofHours(1));
            assertFalse(passes(couple, 3));
            couple.network.partition(1);
            couple.network.heal();
            couple.network.path(0, 1).delay(Duration.ofNanos(1_000));
            assertTrue(passes(couple, 4));
        }
    }

    @Test
    void healingAWholeLinkKeepsTheOrder() {
        try (Couple couple = couple(QpType.UC, 8, "&delay=1ms")) {
            assertFalse(passes(couple, 1));
            couple.network.path(0, 1).heal().delay(Duration.ofNanos(1_000));
            assertFalse(passes(couple, 2));
        }
    }

    @Test
    void smallPacketsAreLimitedToo() {
        int packets = 200;
        try (Couple couple = couple(QpType.UC, 8, "&bandwidth=1000Gbit&delay=0ns")) {
            for (int i = 0; i < packets; i++) {
                couple.write(i);
            }
            // BTH, RETH, payload, ICRC, and IPv4 with UDP
            long bits = packets * 8L * (12 + 16 + 8 + 4 + 28);
            assertEquals(Duration.ofNanos(bits / 1_000), couple.network.packetLog().getLast().arrives());
        }
    }

    @Test
    void theBandwidthIsWhatPassesInATime() {
        int bytes = 1 << 20;
        try (Couple couple = couple(QpType.UC, bytes, "&bandwidth=1Gbit&delay=0ns")) {
            couple.write(1);
            assertTrue(couple.network.runUntil(() -> couple.packets(Fate.UNDER_WAY).isEmpty(), Couple.LONG));
            couple.assertWritten(1);
            double millis = couple.network.now().toNanos() / 1e6;
            double least = bytes * 8 / 1e6;
            assertTrue(millis > least && millis < 1.05 * least, millis + " ms");
        }
    }

    @Test
    void lostPacketsAreSentAgain() {
        try (Couple couple = couple(QpType.RC, 8, "&loss=0.2")) {
            writeAll(couple);
            assertFalse(couple.packets(Fate.LOST).isEmpty());
        }
    }

    @Test
    void lossesComeInBursts() {
        try (Couple couple = couple(QpType.UC, 8, "&burst=0.02,0.2")) {
            for (int i = 0; i < 1000; i++) {
                couple.write(i);
                couple.awaitSent(i);
            }
            couple.network.advance(Duration.ofMillis(1));
            List<SimulatedPacket> packets = couple.network.packetLog();
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
    void doubledPacketsCountOnce() {
        try (Couple couple = couple(QpType.RC, 8, "&duplicate=0.5")) {
            writeAll(couple);
            assertTrue(couple.packets(Fate.ARRIVED).stream().anyMatch(SimulatedPacket::copy));
            assertTrue(couple.counted(couple.right, "duplicate_request") > 0);
        }
    }

    @Test
    void whatIsHeldBackIsOvertaken() {
        try (Couple couple = couple(QpType.RC, 20_000, "&mtu=348&reorder=0.2,50us")) {
            couple.write(1);
            couple.awaitSent(1);
            couple.assertWritten(1);
            assertTrue(couple.network.packetLog().stream().anyMatch(SimulatedPacket::heldBack));
            assertTrue(couple.counted(couple.right, "out_of_seq_request") > 0);
        }
    }

    @Test
    void damagedPacketsAreNoticedAndSentAgain() {
        try (Couple couple = couple(QpType.RC, 300, "&corrupt=0.2")) {
            writeAll(couple);
            long damaged = couple.packets(Fate.ARRIVED).stream().filter(packet -> packet.flippedBits() > 0).count();
            long noticed = couple.counted(couple.right, "bad_icrc") + couple.counted(couple.left, "bad_icrc")
                    + couple.counted(couple.right, "malformed") + couple.counted(couple.left, "malformed");
            assertTrue(damaged > 0, "nothing was damaged");
            // three reserved bits and two marks of the BTH may change on the way
            assertTrue(noticed > 0 && noticed <= damaged, noticed + " of " + damaged);
        }
    }

    @Test
    void packetsLongerThanTheLinkTakesAreLost() {
        try (Couple couple = couple(QpType.RC, 4096, "")) {
            couple.network.links().mtu(1500);
            couple.write(1);
            assertTrue(couple.network.runUntil(couple::hasSent, Couple.LONG));
            assertEquals(WcStatus.RETRY_EXC_ERR, couple.status());
            assertFalse(couple.packets(Fate.TOO_LONG).isEmpty());
            couple.assertWritten(0);
        }
    }

    @Test
    void aPartitionLosesAllUntilItIsHealed() {
        try (Couple couple = couple(QpType.RC, 8, "&delay=5us")) {
            couple.write(1);
            couple.network.advance(Duration.ofNanos(1_000));
            couple.network.link(0, 1).partition();
            couple.network.advance(Duration.ofMillis(100));
            couple.assertWritten(0);
            assertEquals(2, couple.packets(Fate.PARTITIONED).size(), "one under way, and one sent again");
            couple.network.link(1, 0).heal();
            couple.awaitSent(1);
            couple.assertWritten(1);
        }
    }

    @Test
    void whoIsCutOffReachesItselfAlone() {
        try (Couple couple = couple(QpType.RC, 8, "")) {
            couple.network.partition(1);
            couple.write(1);
            couple.network.advance(Duration.ofMillis(1));
            assertEquals(1, couple.packets(Fate.PARTITIONED).size());
            couple.network.heal();
            couple.awaitSent(1);
            couple.network.partition(0, 1);
            couple.write(2);
            couple.awaitSent(2);
        }
    }

    /** Whether a packet passes within a microsecond. */
    private static boolean passes(Couple couple, int value) {
        couple.write(value);
        couple.network.advance(Duration.ofNanos(1_000));
        return couple.target.segment().get(ValueLayout.JAVA_BYTE, 0) == value;
    }

    @Test
    void healingAllLinksEndsEveryPartition() {
        try (Couple couple = couple(QpType.UC, 8, "")) {
            couple.network.partition(1);
            couple.network.link(0, 1).heal().perfect();
            assertFalse(passes(couple, 1), "a link is not the cable between others");
            couple.network.links().heal();
            assertTrue(passes(couple, 2));
            couple.network.partition(1);
            couple.network.links().perfect();
            assertTrue(passes(couple, 3));
            couple.network.path(0, 1).partition();
            couple.network.link(0, 1).perfect();
            assertTrue(passes(couple, 4));
        }
    }

    @Test
    void aPerfectLinkHasNoFaultsAnyMore() {
        try (Couple couple = couple(QpType.UC, 8, "&loss=1")) {
            couple.network.links().perfect();
            couple.write(5);
            couple.network.advance(Duration.ofNanos(1_000));
            couple.assertWritten(5);
        }
    }

    @Test
    void whatLinksDoToAllTheyDoToThoseToCome() {
        try (Couple couple = couple(QpType.UC, 8, "")) {
            couple.network.links().partition();
            couple.write(1);
            couple.network.advance(Duration.ofMillis(1));
            couple.assertWritten(0);
            assertEquals(1, couple.packets(Fate.PARTITIONED).size());
        }
    }
}
