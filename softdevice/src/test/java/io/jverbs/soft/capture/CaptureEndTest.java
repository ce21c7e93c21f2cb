package io.jverbs.soft.capture;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.QpType;
import io.jverbs.RdmaContext;
import io.jverbs.RdmaDevice;
import io.jverbs.Verbs;
import io.jverbs.VerbsException;
import io.jverbs.WcStatus;
import io.jverbs.WrOpcode;
import io.jverbs.control.PacketCapture;
import io.jverbs.control.SimulatedNetwork;
import io.jverbs.soft.PairOfQueuePairs;
import io.jverbs.soft.fabric.RealTimers;
import io.jverbs.soft.protocol.Tap;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How captures start and end, at the same time and one after another, and what they leave behind. */
final class CaptureEndTest {
    private static final long SECONDS = 20;

    @TempDir
    private Path folder;

    @AfterEach
    void clearProperty() {
        System.clearProperty(PacketCapture.PROPERTY);
    }

    private Path file() {
        return folder.resolve("end.pcapng");
    }

    private static void await(BooleanSupplier condition, String what) {
        long deadline = System.nanoTime() + Duration.ofSeconds(SECONDS).toNanos();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < deadline, what);
            Thread.onSpinWait();
        }
    }

    private static void write(PairOfQueuePairs pair) {
        assertEquals(WcStatus.SUCCESS, pair.left.run(pair.request(8).opcode(WrOpcode.RDMA_WRITE)));
    }

    private static boolean isCaptured(RdmaDevice device) {
        return PairOfQueuePairs.capture(device).running().isPresent();
    }

    /** Closes the channel of the capture file, so that the next write fails. */
    private static void failWrites(RdmaDevice device) throws IOException {
        ((DeviceTap) PairOfQueuePairs.capture(device).running().orElseThrow()).captureFile().out().close();
    }

    @Test
    void theFileOfAFailedCaptureIsNotOverwrittenByTheNextDevice() throws Exception {
        System.setProperty(PacketCapture.PROPERTY, file().toString());
        try (PairOfQueuePairs pair = new PairOfQueuePairs("soft:soft72", "soft:soft72", QpType.RC)) {
            write(pair);
            PairOfQueuePairs.capture(pair.leftDevice).running().orElseThrow().flush();
            failWrites(pair.leftDevice);
            write(pair);
            await(() -> !isCaptured(pair.leftDevice), "the capture has not ended");
        }
        byte[] written = Files.readAllBytes(file());
        assertEquals(2, Pcapng.packets(file()).size());

        for (String selector : List.of("soft:soft72", "soft:soft73")) {
            try (PairOfQueuePairs next = new PairOfQueuePairs(selector, selector, QpType.RC)) {
                write(next);
                assertTrue(!isCaptured(next.leftDevice), selector);
            }
        }
        assertArrayEquals(written, Files.readAllBytes(file()));
    }

    @Test
    void aFileInUseIsRefusedUnderAnotherName() throws Exception {
        Path other = folder.resolve("other.pcapng");
        try (PairOfQueuePairs pair = new PairOfQueuePairs("soft:soft72", "soft:soft73", QpType.RC);
                PacketCapture.Running running = PairOfQueuePairs.capture(pair.leftDevice).start(file().toString())) {
            Files.createLink(other, file());
            write(pair);
            VerbsException refused = assertThrows(VerbsException.class,
                    () -> PairOfQueuePairs.capture(pair.rightDevice).start(other.toString()));
            assertEquals(Errno.EBUSY, refused.error());
            write(pair);
            running.flush();
            assertEquals(4, Pcapng.packets(file()).size());
        }
    }

    @Test
    void aCaptureDoesNotKeepAnEndedSimulatedNetworkReachable() throws Exception {
        try (RdmaContext context = Verbs.open("soft:soft72");
                PacketCapture.Running running = PairOfQueuePairs.capture(context.device()).start(ring())) {
            Collected.await(capturedNetwork());
            running.flush();
            assertEquals(2, Pcapng.read(file()).interfaces().size());
        }
    }

    /** Returns the specification of a ring capture, which writes nothing while no queue pair fails. */
    private String ring() {
        return file() + "?ring=5&buffer=1";
    }

    /** Captures a simulated network and closes the network, but not the capture. */
    private WeakReference<SimulatedNetwork> capturedNetwork() {
        try (RdmaContext context = Verbs.open("soft:sim?seed=1&network=collected")) {
            PairOfQueuePairs.capture(context.device()).start(ring());
            return new WeakReference<>(context.device().capability(SimulatedNetwork.class).orElseThrow());
        }
    }

    @Test
    void noCaptureStartsOnASimulatedNetworkThatHasEnded() {
        RdmaDevice device = Verbs.select("soft:sim?seed=1&network=ended");
        RdmaContext context = device.open();
        try (PacketCapture.Running running = PairOfQueuePairs.capture(device).start(file().toString())) {
            assertTrue(isCaptured(device));
            context.close();
            assertTrue(!isCaptured(device));
            assertEquals(0, running.packets());
        }
        VerbsException refused = assertThrows(VerbsException.class,
                () -> PairOfQueuePairs.capture(device).start(file().toString()));
        assertTrue(refused.getMessage().contains("belongs to a simulated network that has ended"), refused::getMessage);
    }

    @Test
    void aCaptureThatIsClosedByTwoThreadsDoesNotUninstallItsSuccessor() throws Exception {
        AtomicReference<Tap> installed = new AtomicReference<>();
        CountDownLatch uninstalling = new CountDownLatch(1);
        CountDownLatch proceed = new CountDownLatch(1);
        Captures captures = new Captures("soft9", new RealTimers(), tap -> {
            if (tap == null && uninstalling.getCount() != 0) {
                uninstalling.countDown();
                await(proceed);
            }
            installed.set(tap);
        });
        PacketCapture.Running former = captures.start(file().toString());
        Thread slow = Thread.ofPlatform().start(former::close);
        await(uninstalling);
        AtomicReference<PacketCapture.Running> successor = new AtomicReference<>();
        Thread fast = Thread.ofPlatform().start(() -> {
            former.close();
            successor.set(captures.start(folder.resolve("successor.pcapng").toString()));
        });
        await(() -> fast.getState() == Thread.State.BLOCKED || fast.getState() == Thread.State.TERMINATED,
                "the thread neither continues nor waits for the other one");
        proceed.countDown();
        assertTrue(slow.join(Duration.ofSeconds(SECONDS)) && fast.join(Duration.ofSeconds(SECONDS)));

        assertSame(successor.get(), installed.get());
        successor.get().close();
        assertNull(installed.get());
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(SECONDS, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void anInterruptedThreadStartsAndEndsACapture() throws Exception {
        try (RdmaContext context = Verbs.open("soft:soft72")) {
            Thread.currentThread().interrupt();
            try (PacketCapture.Running running = PairOfQueuePairs.capture(context.device()).start(file().toString())) {
                running.flush();
            } finally {
                assertTrue(Thread.interrupted());
            }
        }
        assertEquals(1, Pcapng.read(file()).statistics().size());
    }
}
