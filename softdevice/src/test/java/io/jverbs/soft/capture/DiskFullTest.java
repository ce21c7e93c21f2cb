package io.jverbs.soft.capture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.jverbs.soft.fabric.RealTimers;
import io.jverbs.soft.transport.Tap;
import io.jverbs.soft.wire.Outgoing;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A file that cannot be written any more ends its capture with a word, and a slow one costs packets, not time. */
final class DiskFullTest {
    private static final int BUFFER = 1 << 16;
    private static final CaptureSpec SPEC = new CaptureSpec(Path.of("/disk"), 0, 65535, BUFFER);
    private static final long ADDRESS = 0xFFFF_0A00_0001L;

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) org.slf4j.LoggerFactory.getLogger("io.jverbs.soft.capture");
    private final AtomicReference<Tap> looks = new AtomicReference<>();
    private final Outgoing packet = new Outgoing();

    /** Takes so many bytes, then has no more room; and nothing before it may. */
    private static final class Disk implements WritableByteChannel {
        private final CountDownLatch may;
        private long room;

        Disk(long room, CountDownLatch may) {
            this.room = room;
            this.may = may;
        }

        @Override
        public int write(ByteBuffer bytes) throws IOException {
            if (room <= 0) {
                throw new IOException("No space left on device");
            }
            try {
                if (bytes.remaining() > PcapNg.MOST && !may.await(20, TimeUnit.SECONDS)) {
                    throw new IOException("nobody lets it write");
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
            // there is nothing behind it
        }
    }

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
        logger.setAdditive(false);
        packet.encoder().begin(packet.buffer(), WireOpcode.SEND_ONLY, 0, 0xFFFF, 17, 5, 1000);
    }

    @AfterEach
    void listenNoMore() {
        logger.detachAppender(log);
        logger.setAdditive(true);
    }

    private final class Device implements DeviceTap.Owner {
        @Override
        public void hook(DeviceTap tap) {
            looks.set(tap);
        }

        @Override
        public void unhook(DeviceTap tap) {
            looks.compareAndSet(tap, null);
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

    private List<String> warnings() {
        return log.list.stream().filter(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
                .map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    void aDiskThatIsFullEndsTheCaptureAndIsToldOnce() throws Exception {
        CaptureFile file = new CaptureFile(SPEC, () -> new Disk(1000, new CountDownLatch(0)));
        DeviceTap tap = tap(file);
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!file.hasEnded()) {
            assertTrue(System.nanoTime() < deadline, "the capture goes on");
            send(tap, 1);
            Thread.sleep(1);
        }
        assertNull(looks.get());
        send(tap, 3);
        tap.flush();
        tap.close();

        assertEquals(1, warnings().stream().filter(line -> line.contains("cannot be written")).count());
        assertEquals("Packets are not captured any more: /disk cannot be written: java.io.IOException: "
                + "No space left on device", warnings().getFirst());
    }

    @Test
    void packetsThatComeFasterThanTheyAreWrittenAreCountedAndNobodyWaits() throws Exception {
        CountDownLatch may = new CountDownLatch(1);
        CaptureFile file = new CaptureFile(SPEC, () -> new Disk(Long.MAX_VALUE, may));
        DeviceTap tap = tap(file);
        int packets = 3 * BUFFER / 1000;
        send(tap, packets);

        assertTrue(tap.dropped() > 0);
        assertEquals(packets, tap.packets() + tap.dropped());
        assertTrue(tap.packets() * 1000 <= BUFFER);
        may.countDown();
        tap.flush();
        long before = tap.dropped();
        send(tap, 10);
        assertEquals(before, tap.dropped(), "there is room again");
        tap.close();
        assertEquals(
                List.of(before + " of " + (packets + 10) + " packets of soft9 are not in /disk, as they came faster"
                        + " than they could be written"),
                warnings());
    }

    /** It neither holds up the end of the JVM nor keeps its memory. */
    @Test
    void aFileThatHasEndedIsKeptByNobody() throws Exception {
        Collected.await(ended());
    }

    private WeakReference<CaptureFile> ended() throws Exception {
        CaptureFile file = new CaptureFile(SPEC, () -> new Disk(10, new CountDownLatch(0)));
        DeviceTap tap = tap(file);
        tap.flush();
        tap.close();
        looks.set(null);
        return new WeakReference<>(file);
    }

    @Test
    void aFileThatCannotBeOpenedIsKeptByNobodyEither() {
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
