package io.jverbs.soft.capture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.contract.fixture.CapturedLog;
import io.jverbs.soft.fabric.RealTimers;
import io.jverbs.soft.protocol.Tap;
import io.jverbs.soft.wire.SendBuffer;
import io.jverbs.soft.wire.WireOpcode;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A file that can no longer be written ends its capture with one log message. With a file that is slow, packets are
 * dropped and no sender waits.
 */
final class DiskFullTest {
    private static final int BUFFER = 1 << 16;
    private static final CaptureSpec SPEC = new CaptureSpec(Path.of("/disk"), 0, 65535, BUFFER);
    private static final long ADDRESS = 0xFFFF_0A00_0001L;

    @RegisterExtension
    final CapturedLog log = CapturedLog.named("io.jverbs.soft.capture");
    private final AtomicReference<Tap> installed = new AtomicReference<>();
    private final SendBuffer packet = new SendBuffer();

    /** Accepts a number of bytes and is then full. A write longer than one block waits for the latch first. */
    private static final class Disk implements WritableByteChannel {
        private final CountDownLatch writable;
        private long room;
        private volatile int errors;

        Disk(long room, CountDownLatch writable) {
            this.room = room;
            this.writable = writable;
        }

        @Override
        public int write(ByteBuffer bytes) throws IOException {
            if (room <= 0) {
                throw new IOException("No space left on device");
            }
            if (errors > 0) {
                errors--;
                throw new OutOfMemoryError("no memory to write with");
            }
            try {
                if (bytes.remaining() > PcapNg.MAX_BLOCK && !writable.await(20, TimeUnit.SECONDS)) {
                    throw new IOException("the latch was not released within 20 s");
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            int length = bytes.remaining();
            bytes.position(bytes.limit());
            room -= length;
            return length;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {
            // nothing to release
        }
    }

    @BeforeEach
    void beginPacket() {
        packet.encoder().begin(packet.buffer(), WireOpcode.SEND_ONLY, 0, 0xFFFF, 17, 5, 1000);
    }

    private final class Device implements DeviceTap.Owner {
        @Override
        public void install(DeviceTap tap) {
            installed.set(tap);
        }

        @Override
        public void uninstall(DeviceTap tap) {
            installed.compareAndSet(tap, null);
        }

        @Override
        public void closed(DeviceTap tap) {
            tap.captureFile().close();
        }
    }

    private DeviceTap tap(CaptureFile file) throws IOException {
        file.start();
        DeviceTap tap = new DeviceTap(file, "soft9", new RealTimers(), new Device());
        tap.attach();
        return tap;
    }

    private void send(DeviceTap tap, int packets) {
        for (int i = 0; i < packets; i++) {
            tap.written(true, packet, packet.encoder().written(), 0, ADDRESS, 0, ADDRESS + 1);
        }
    }

    @Test
    void aFullDiskEndsTheCaptureAndIsLoggedOnce() throws Exception {
        CaptureFile file = new CaptureFile(SPEC, () -> new Disk(1000, new CountDownLatch(0)));
        DeviceTap tap = tap(file);
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!file.hasEnded()) {
            assertTrue(System.nanoTime() < deadline, "the capture has not ended");
            send(tap, 1);
            Thread.sleep(1);
        }
        assertNull(installed.get());
        send(tap, 3);
        tap.flush();
        tap.close();

        assertEquals(1, log.warnings().stream().filter(line -> line.contains("cannot be written")).count());
        assertEquals("The capture to /disk has ended, because the file cannot be written: java.io.IOException: "
                + "No space left on device", log.warnings().getFirst());
    }

    @Test
    void packetsThatArriveFasterThanTheyAreWrittenAreDroppedAndCounted() throws Exception {
        CountDownLatch writable = new CountDownLatch(1);
        CaptureFile file = new CaptureFile(SPEC, () -> new Disk(Long.MAX_VALUE, writable));
        DeviceTap tap = tap(file);
        int packets = 3 * BUFFER / 1000;
        send(tap, packets);

        assertTrue(tap.dropped() > 0);
        assertEquals(packets, tap.packets() + tap.dropped());
        assertTrue(tap.packets() * 1000 <= BUFFER);
        writable.countDown();
        tap.flush();
        long before = tap.dropped();
        send(tap, 10);
        assertEquals(before, tap.dropped(), "there is room again after the flush");
        tap.close();
        assertEquals(
                List.of(before + " of " + (packets + 10) + " packets of soft9 were not captured to /disk, because"
                        + " they came faster than they were written"),
                log.warnings());
    }

    @Test
    void aTransientErrorLosesNoPacket() throws Exception {
        Disk disk = new Disk(Long.MAX_VALUE, new CountDownLatch(0));
        CaptureFile file = new CaptureFile(SPEC, () -> disk);
        DeviceTap tap = tap(file);
        disk.errors = 3;
        send(tap, 10);
        tap.flush();

        assertEquals(0, disk.errors);
        assertTrue(Long.MAX_VALUE - disk.room > 10_000, () -> Long.MAX_VALUE - disk.room + " bytes");
        tap.close();
        assertEquals(
                List.of("jverbs-capture continues after an unexpected failure; later ones are logged at level DEBUG"),
                log.warnings());
    }

    @Test
    void aPersistentErrorEndsTheCaptureAndNoCallWaits() throws Exception {
        Disk disk = new Disk(Long.MAX_VALUE, new CountDownLatch(0));
        CaptureFile file = new CaptureFile(SPEC, () -> disk);
        DeviceTap tap = tap(file);
        disk.errors = Integer.MAX_VALUE;
        send(tap, 10);
        tap.flush();

        assertTrue(file.hasEnded());
        tap.close();
        assertEquals("The capture to /disk has ended, because the file cannot be written: java.lang.OutOfMemoryError: "
                + "no memory to write with", log.warnings().getLast());
    }

    /** An Error that cannot even be described, as when there is no memory. */
    private static final class IndescribableError extends Error {
        private static final long serialVersionUID = 1L;

        @Override
        public String toString() {
            throw new OutOfMemoryError("no memory for a description");
        }
    }

    @Test
    void anErrorThatCannotBeDescribedEndsTheCaptureAndNoCallWaits() throws Exception {
        CaptureFile file = new CaptureFile(SPEC, () -> {
            throw new IndescribableError();
        });
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
            assertThrows(IOException.class, file::start);
            file.close();
        });
        assertTrue(file.hasEnded());
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!log.warnings().contains("jverbs-capture ended with an uncaught exception")) {
            assertTrue(System.nanoTime() < deadline, () -> "logged: " + log.warnings());
            Thread.sleep(1);
        }
    }

    /** A file that has ended neither delays the exit of the JVM nor keeps its memory. */
    @Test
    void aFileThatHasEndedIsGarbageCollected() throws Exception {
        Collected.await(ended());
    }

    private WeakReference<CaptureFile> ended() throws Exception {
        CaptureFile file = new CaptureFile(SPEC, () -> new Disk(10, new CountDownLatch(0)));
        DeviceTap tap = tap(file);
        tap.flush();
        tap.close();
        installed.set(null);
        return new WeakReference<>(file);
    }

    @Test
    void aFileThatCannotBeOpenedIsGarbageCollected() {
        Collected.await(refused());
    }

    private static WeakReference<CaptureFile> refused() {
        IOException refusal = new IOException("No space left on device");
        CaptureFile file = new CaptureFile(SPEC, () -> {
            throw refusal;
        });
        assertSame(refusal, assertThrows(IOException.class, file::start));
        file.close();
        return new WeakReference<>(file);
    }
}
