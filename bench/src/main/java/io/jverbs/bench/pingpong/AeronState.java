package io.jverbs.bench.pingpong;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
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

    private final UnsafeBuffer ping = new UnsafeBuffer(new byte[PingPong.BYTES]);
    private final UnsafeBuffer pong = new UnsafeBuffer(new byte[PingPong.BYTES]);
    private final FragmentHandler take = this::take;
    private final FragmentHandler answer = this::answer;
    private Path folder;
    private MediaDriver driver;
    private Aeron aeron;
    private ExclusivePublication pings;
    private ExclusivePublication answers;
    private Subscription incoming;
    private Subscription returning;
    private Echo echo;
    private long sent;
    private long came;

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
        incoming = aeron.addSubscription(CHANNEL, THERE);
        returning = aeron.addSubscription(CHANNEL, BACK);
        pings = aeron.addExclusivePublication(CHANNEL, THERE);
        answers = aeron.addExclusivePublication(CHANNEL, BACK);
        long start = System.nanoTime();
        while (!pings.isConnected() || !answers.isConnected()) {
            if (System.nanoTime() - start > PATIENCE_NANOS) {
                throw new IllegalStateException("Aeron's streams did not connect within 10 s");
            }
            Thread.onSpinWait();
        }
        echo = new Echo(() -> incoming.poll(answer, 1) > 0);
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

    private void take(DirectBuffer buffer, int offset, int length, Header header) {
        came = buffer.getLong(offset);
    }

    private void answer(DirectBuffer buffer, int offset, int length, Header header) {
        pong.putBytes(0, buffer, offset, length);
        offer(answers, pong);
    }

    private static void offer(ExclusivePublication stream, UnsafeBuffer message) {
        while (stream.offer(message, 0, PingPong.BYTES) < 0) {
            Thread.onSpinWait();
        }
    }

    void roundTrip() {
        ping.putLong(0, ++sent);
        offer(pings, ping);
        while (returning.poll(take, 1) == 0 || came != sent) {
            Thread.onSpinWait();
        }
    }
}
