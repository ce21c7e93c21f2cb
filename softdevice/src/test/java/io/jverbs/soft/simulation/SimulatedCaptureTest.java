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

/** What a capture has of a simulated network. */
final class SimulatedCaptureTest {
    private static final Duration DELAY = Duration.ofMillis(3);
    private static final Duration BEFORE = Duration.ofMillis(100);

    @TempDir
    private Path folder;

    private static PacketCapture.Running capture(RdmaContext context, Path file) {
        return context.device().capability(PacketCapture.class).orElseThrow().start(file.toString());
    }

    /** Writes three times, the second device's capture begins when some time has passed. */
    private List<RocePacket> captureThreeWrites(Path file, String options) throws Exception {
        try (Couple couple = new Couple(QpType.RC, 1000, options);
                PacketCapture.Running left = capture(couple.left, file)) {
            couple.network.advance(BEFORE);
            try (PacketCapture.Running right = capture(couple.right, file)) {
                for (int i = 0; i < 3; i++) {
                    couple.write(i);
                    couple.awaitSent(i);
                }
                right.flush();
                assertEquals(left.packets() + right.packets(), Pcapng.packets(file).size());
            }
        }
        return Pcapng.packets(file);
    }

    @Test
    void timesAreThoseOfTheNetworkCountedFrom1970() throws Exception {
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

    /** Writes before the second device's capture begins, while both go on, and when it has ended. */
    private void captureInTurns(Path file, String options) {
        try (Couple couple = new Couple(QpType.RC, 1000, options);
                PacketCapture.Running left = capture(couple.left, file)) {
            write(couple, 0);
            int before = (int) left.packets();
            try (PacketCapture.Running right = capture(couple.right, file)) {
                write(couple, 1);
                assertTrue(right.packets() > 0);
            }
            write(couple, 2);
            assertTrue(before > 0 && left.packets() > 2 * before - 1);
        }
    }

    private static void write(Couple couple, long id) {
        couple.write(id);
        couple.awaitSent(id);
    }

    @Test
    void theSameSeedIsTheSameFile() throws Exception {
        String options = "seed=5&network=file&loss=0.2&duplicate=0.2&jitter=5us&corrupt=0.1";
        Path one = folder.resolve("one.pcapng");
        Path two = folder.resolve("two.pcapng");
        captureInTurns(one, options);
        captureInTurns(two, options);
        assertArrayEquals(Files.readAllBytes(one), Files.readAllBytes(two));
    }

    @Test
    void aDeviceIsDescribedWhereItsCaptureBegins() throws Exception {
        Path file = folder.resolve("turns.pcapng");
        captureInTurns(file, "seed=5&network=turns");
        assertEquals(List.of(0, 2),
                Pcapng.read(file).interfaces().stream().map(Pcapng.Interface::packetsBefore).toList());
    }

    @Test
    void aCaptureThatIsRefusedLeavesNoContext() {
        System.setProperty(PacketCapture.PROPERTY, folder.resolve("none").resolve("x").toString());
        try {
            assertEquals(Errno.ENOENT, assertThrows(VerbsException.class,
                    () -> Verbs.open("soft:sim?seed=1&network=refused&time=real")).error());
        } finally {
            System.clearProperty(PacketCapture.PROPERTY);
        }
        Verbs.open("soft:sim?seed=1&network=refused&time=real").close();
        // as that was its last context, the network has ended: another of its name need not be like it
        Verbs.open("soft:sim?seed=1&network=refused&loss=0.5").close();
    }

    @Test
    void whatIsLostLeavesAndDoesNotArrive() throws Exception {
        Path file = folder.resolve("lost.pcapng");
        try (Couple couple = new Couple(QpType.RC, 64, "seed=1&network=lost&loss=0.3");
                PacketCapture.Running left = capture(couple.left, file);
                PacketCapture.Running right = capture(couple.right, file)) {
            for (int i = 0; i < 20; i++) {
                couple.write(i);
                couple.awaitSent(i);
            }
            right.flush();
            int lost = couple.packets(Fate.LOST).size();
            assertTrue(lost > 0, "nothing was lost");
            List<RocePacket> packets = Pcapng.packets(file);
            assertEquals(left.packets() + right.packets(), packets.size());
            assertEquals(lost, packets.stream().mapToInt(packet -> packet.leaving() ? 1 : -1).sum());
        }
    }

    @Test
    void withRealTimeATimeIsThatOfTheDay() throws Exception {
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
