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
 * The state of the Aeron baseline: two IPC streams, with a media driver in this JVM. Messages pass through shared
 * memory from thread to thread. The thread of the driver only advances the limits of the publishers, for which it wakes
 * up each millisecond, so that it takes no processor from the two polling threads.
 */
@State(Scope.Benchmark)
public class AeronState {
    private static final String CHANNEL = "aeron:ipc?term-length=16m";
    private static final int THERE = 1;
    private static final int BACK = 2;
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private Path folder;
    private MediaDriver driver;
    private Aeron aeron;
    private Side here;
    private Echo echo;

    /** For JMH. */
    public AeronState() {
        // initialized by start
    }

    /**
     * Starts the driver and the echo thread.
     *
     * @throws IOException if the folder of the driver cannot be created
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
        ExclusivePublication replies = aeron.addExclusivePublication(CHANNEL, BACK);
        here = new Side(pings, image(returning));
        Side there = new Side(replies, image(incoming));
        long start = System.nanoTime();
        while (!pings.isConnected() || !replies.isConnected()) {
            spin(start);
        }
        echo = new Echo(there::tryReply);
    }

    /** {@return the image of the only stream of a subscription, which is polled directly} */
    private static Image image(Subscription subscription) {
        long start = System.nanoTime();
        while (subscription.hasNoImages()) {
            spin(start);
        }
        return subscription.imageAtIndex(0);
    }

    private static void spin(long start) {
        if (System.nanoTime() - start > TIMEOUT_NANOS) {
            throw new IllegalStateException("the Aeron streams did not connect within 10 s");
        }
        Thread.onSpinWait();
    }

    /**
     * Stops the echo thread and the driver.
     *
     * @throws IOException if the folder of the driver cannot be deleted
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
        while (!here.tryReceive()) {
            Thread.onSpinWait();
        }
    }

    /** The state of one thread, which is padded, as the two threads must not share cache lines. */
    private static final class Side extends Padded {
        private final ExclusivePublication out;
        private final Image in;
        private final UnsafeBuffer message = new UnsafeBuffer(BufferUtil.allocateDirectAligned(PingPong.BYTES,
                BitUtil.CACHE_LINE_LENGTH));
        private final FragmentHandler take = this::take;
        private final FragmentHandler reply = this::reply;
        private long sent;
        private long received;

        Side(ExclusivePublication out, Image in) {
            this.out = out;
            this.in = in;
        }

        void send() {
            message.putLong(0, ++sent);
            offer(message, 0, PingPong.BYTES);
        }

        /** Polls once; returns whether the reply to the last message was received. */
        boolean tryReceive() {
            return in.poll(take, 1) > 0 && received == sent;
        }

        private void take(DirectBuffer buffer, int offset, int length, Header header) {
            received = buffer.getLong(offset);
        }

        boolean tryReply() {
            return in.poll(reply, 1) > 0;
        }

        /** Sends a received message back without copying it first. */
        private void reply(DirectBuffer buffer, int offset, int length, Header header) {
            offer(buffer, offset, length);
        }

        private void offer(DirectBuffer buffer, int offset, int length) {
            while (out.offer(buffer, offset, length) < 0) {
                Thread.onSpinWait();
            }
        }
    }
}
