package io.jverbs.soft.simulation;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.QpType;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.VerbsException;
import io.jverbs.control.PacketCapture;
import io.jverbs.control.SimulatedPacket.Fate;
import io.jverbs.soft.capture.Pcapng;
import io.jverbs.soft.capture.RocePacket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Packet capture on a simulated network. */
final class SimulatedCaptureTest {
    private static final Duration DELAY = Duration.ofMillis(3);
    private static final Duration BEFORE = Duration.ofMillis(100);

    @TempDir
    private Path folder;

    private static PacketCapture.Running capture(RdmaContext context, Path file) {
        return context.device().capability(PacketCapture.class).orElseThrow().start(file.toString());
    }

    /** Writes three times. The capture of the second device starts after some time. */
    private List<RocePacket> captureThreeWrites(Path file, String options) throws Exception {
        try (ConnectedPair pair = new ConnectedPair(QpType.RC, 1000, options);
                PacketCapture.Running left = capture(pair.left, file)) {
            pair.network.advance(BEFORE);
            try (PacketCapture.Running right = capture(pair.right, file)) {
                for (int i = 0; i < 3; i++) {
                    pair.write(i);
                    pair.awaitSent(i);
                }
                right.flush();
                assertEquals(left.packets() + right.packets(), Pcapng.packets(file).size());
            }
        }
        return Pcapng.packets(file);
    }

    @Test
    void timestampsAreNetworkTimeSince1970() throws Exception {
        String options = "seed=3&network=times&delay=" + DELAY.toMillis() + "ms";
        List<RocePacket> packets = captureThreeWrites(folder.resolve("times.pcapng"), options);
        assertEquals(12, packets.size(), packets::toString);
        String selector = "?seed=3&network=times";
        long start = BEFORE.toNanos();
        for (int i = 0; i < packets.size(); i++) {
            RocePacket packet = packets.get(i);
            assertEquals(start + (i + 1) / 2 * DELAY.toNanos(), packet.nanos(), packet + " at " + i);
            assertEquals(i % 2 == 0, packet.leaving(), packet::toString);
            assertTrue(packet.hasGoodIcrc(), packet::toString);
        }
        assertEquals(List.of("sim0" + selector, "sim1" + selector, "sim1" + selector, "sim0" + selector),
                packets.stream().limit(4).map(RocePacket::device).toList());
    }

    /** Writes before the capture of the second device starts, while both captures run, and after it has ended. */
    private void captureInTurns(Path file, String options) {
        try (ConnectedPair pair = new ConnectedPair(QpType.RC, 1000, options);
                PacketCapture.Running left = capture(pair.left, file)) {
            write(pair, 0);
            int before = (int) left.packets();
            try (PacketCapture.Running right = capture(pair.right, file)) {
                write(pair, 1);
                assertTrue(right.packets() > 0);
            }
            write(pair, 2);
            assertTrue(before > 0 && left.packets() > 2 * before - 1);
        }
    }

    private static void write(ConnectedPair pair, long id) {
        pair.write(id);
        pair.awaitSent(id);
    }

    @Test
    void sameSeedGivesSameFile() throws Exception {
        String options = "seed=5&network=file&loss=0.2&duplicate=0.2&jitter=5us&corrupt=0.1";
        Path one = folder.resolve("one.pcapng");
        Path two = folder.resolve("two.pcapng");
        captureInTurns(one, options);
        captureInTurns(two, options);
        assertArrayEquals(Files.readAllBytes(one), Files.readAllBytes(two));
    }

    @Test
    void interfaceBlockIsWrittenWhereCaptureOfDeviceStarts() throws Exception {
        Path file = folder.resolve("turns.pcapng");
        captureInTurns(file, "seed=5&network=turns");
        assertEquals(List.of(0, 2),
                Pcapng.read(file).interfaces().stream().map(Pcapng.Interface::packetsBefore).toList());
    }

    @Test
    void contextIsClosedIfItsCaptureCannotStart() {
        System.setProperty(PacketCapture.PROPERTY, folder.resolve("none").resolve("x").toString());
        try {
            assertEquals(Errno.ENOENT, assertThrows(VerbsException.class,
                    () -> Verbs.open("soft:sim?seed=1&network=refused&time=real")).error());
        } finally {
            System.clearProperty(PacketCapture.PROPERTY);
        }
        Verbs.open("soft:sim?seed=1&network=refused&time=real").close();
        // that was the last context, so the network has ended and its name can be used with other options
        Verbs.open("soft:sim?seed=1&network=refused&loss=0.5").close();
    }

    @Test
    void lostPacketIsCapturedAtSenderOnly() throws Exception {
        Path file = folder.resolve("lost.pcapng");
        try (ConnectedPair pair = new ConnectedPair(QpType.RC, 64, "seed=1&network=lost&loss=0.3");
                PacketCapture.Running left = capture(pair.left, file);
                PacketCapture.Running right = capture(pair.right, file)) {
            for (int i = 0; i < 20; i++) {
                pair.write(i);
                pair.awaitSent(i);
            }
            right.flush();
            int lost = pair.packets(Fate.LOST).size();
            assertTrue(lost > 0, "no packet was lost");
            List<RocePacket> packets = Pcapng.packets(file);
            assertEquals(left.packets() + right.packets(), packets.size());
            assertEquals(lost, packets.stream().mapToInt(packet -> packet.leaving() ? 1 : -1).sum());
        }
    }

    @Test
    void timestampsAreWallClockTimeWithRealTime() throws Exception {
        long before = nanos(Instant.now());
        Stream<RocePacket> packets = captureThreeWrites(folder.resolve("real.pcapng"), "seed=1&network=day&time=real")
                .stream();
        long after = nanos(Instant.now());
        List<Long> times = packets.map(RocePacket::nanos).toList();
        assertEquals(12, times.size());
        assertEquals(times.stream().sorted().toList(), times);
        assertTrue(times.getFirst() >= before + BEFORE.toNanos() && times.getLast() <= after,
                times + " from " + before);
    }

    private static long nanos(Instant time) {
        return Duration.between(Instant.EPOCH, time).toNanos();
    }
}
