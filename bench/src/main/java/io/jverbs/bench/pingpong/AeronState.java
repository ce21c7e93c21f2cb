package io.jverbs.bench.pingpong;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Two IPC streams of Aeron, with a media driver in this JVM. Messages go through shared memory from thread to thread; the
 * driver's one thread only moves the senders' limits, for which a look each millisecond is enough, so that it does not take a
 * processor from the two that spin.
 */
@State(Scope.Benchmark)
public class AeronState {
    private static final String CHANNEL = "aeron:ipc?term-length=16m";
    private static final int THERE = 1;
    private static final int BACK = 2;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private Path folder;
    private MediaDriver driver;
    private Aeron aeron;
    private Side here;
    private Echo echo;

    /** For JMH. */
    public AeronState() {
        // start makes the rest
    }

    /**
     * Starts the driver and the echo.
     *
     * @throws IOException if there is no folder for the driver
     */
    @Setup
    public void start() throws IOException {
        folder = Files.createTempDirectory("jverbs-bench-aeron");
        driver = MediaDriver.launchEmbedded(new MediaDriver.Context()
                .aeronDirectoryName(folder.resolve("driver").toString()).threadingMode(ThreadingMode.SHARED)
                .sharedIdleStrategy(new SleepingMillisIdleStrategy(1)).dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true));
        aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName()));
        Subscription incoming = aeron.addSubscription(CHANNEL, THERE);
        Subscription returning = aeron.addSubscription(CHANNEL, BACK);
        ExclusivePublication pings = aeron.addExclusivePublication(CHANNEL, THERE);
        ExclusivePublication answers = aeron.addExclusivePublication(CHANNEL, BACK);
        here = new Side(pings, image(returning));
        Side there = new Side(answers, image(incoming));
        long start = System.nanoTime();
        while (!pings.isConnected() || !answers.isConnected()) {
            spin(start);
        }
        echo = new Echo(there::tryAnswer);
    }

    /** The one stream of a subscription, which is polled without a look for others. */
    private static Image image(Subscription subscription) {
        long start = System.nanoTime();
        while (subscription.hasNoImages()) {
            spin(start);
        }
        return subscription.imageAtIndex(0);
    }

    private static void spin(long start) {
        if (System.nanoTime() - start > PATIENCE_NANOS) {
            throw new IllegalStateException("Aeron's streams did not connect within 10 s");
        }
        Thread.onSpinWait();
    }

    /**
     * Stops them.
     *
     * @throws IOException if the driver's folder cannot be deleted
     */
    @TearDown
    public void stop() throws IOException {
        echo.close();
        aeron.close();
        driver.close();
        Files.deleteIfExists(folder);
    }

    void roundTrip() {
        here.send();
        while (!here.came()) {
            Thread.onSpinWait();
        }
    }

    /** What one thread works on; what it writes shares no cache line with what the other reads. */
    private static final class Side extends Padded {
        private final ExclusivePublication out;
        private final Image in;
        private final UnsafeBuffer message = new UnsafeBuffer(BufferUtil.allocateDirectAligned(PingPong.BYTES,
                BitUtil.CACHE_LINE_LENGTH));
        private final FragmentHandler take = this::take;
        private final FragmentHandler answer = this::answer;
        private long sent;
        private long came;

        Side(ExclusivePublication out, Image in) {
            this.out = out;
            this.in = in;
        }

        void send() {
            message.putLong(0, ++sent);
            offer(message, 0, PingPong.BYTES);
        }

        /** Polls once; whether the answer to what was sent has come. */
        boolean came() {
            return in.poll(take, 1) > 0 && came == sent;
        }

        private void take(DirectBuffer buffer, int offset, int length, Header header) {
            came = buffer.getLong(offset);
        }

        boolean tryAnswer() {
            return in.poll(answer, 1) > 0;
        }

        /** What came goes back from where it is. */
        private void answer(DirectBuffer buffer, int offset, int length, Header header) {
            offer(buffer, offset, length);
        }

        private void offer(DirectBuffer buffer, int offset, int length) {
            while (out.offer(buffer, offset, length) < 0) {
                Thread.onSpinWait();
            }
        }
    }
}
