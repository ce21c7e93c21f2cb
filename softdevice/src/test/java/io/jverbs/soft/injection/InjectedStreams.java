package io.jverbs.soft.injection;

import io.jverbs.RdmaContext;
import io.jverbs.RdmaDevice;
import io.jverbs.Verbs;
import io.jverbs.control.DeviceCounters;
import io.jverbs.injection.CreatedObjects;
import io.jverbs.injection.ErrorInjector;
import io.jverbs.injection.ErrorInjector.InjectedError;
import io.jverbs.rsocket.RdmaStream;
import io.jverbs.rsocket.RdmaStreamListener;
import io.jverbs.rsocket.RdmaStreamOptions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/**
 * A scenario that listens, connects a stream from a context of its own to a context with another stream, transfers
 * bytes in both directions, maps a buffer, shuts down and closes, while an Error is thrown at one injection point, in
 * this thread or another one. It checks that everything can be closed, that the device then has as many objects and the
 * process as many threads as before, that the other stream continues, and that one more can be connected. The test
 * loads this class with a class loader of its own, together with the classes of the streams.
 */
public final class InjectedStreams implements IntFunction<String>, AutoCloseable {
    /** How long a step may take that an Error in another thread has made impossible. */
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final int LENGTH = 5000;
    private static final int BUFFER = 16384;

    private final RdmaDevice device;
    private final RdmaContext context;
    private final InetSocketAddress any;
    private final RdmaStreamListener otherListener;
    private final RdmaStreamOptions shortLimits = options(SHORT);
    private final RdmaStreamOptions longLimits = options(LONG);
    private final List<String> errors = new ArrayList<>();
    private RdmaStream otherClient;
    private RdmaStream otherServer;

    /** Opens a device, and connects the other stream. */
    public InjectedStreams(String selector) throws IOException, InterruptedException {
        this.device = Verbs.select(selector);
        context = device.open();
        any = new InetSocketAddress(context.preferredGid(1).gid().toInetAddress(), 0);
        otherListener = RdmaStreamListener.bind(context, any);
        connectOther();
    }

    /** Returns options for threads that block at once, and for small buffers, which a few messages fill. */
    private static RdmaStreamOptions options(Duration limit) {
        return RdmaStreamOptions.DEFAULT.withCloseTimeout(limit).withConnectTimeout(limit).withSpin(Duration.ZERO)
                .withReceiveBufferSize(BUFFER).withReceiveQueueSize(64).withIomapSize(1);
    }

    private void connectOther() throws IOException, InterruptedException {
        otherClient = RdmaStream.connect(context, otherListener.localAddress());
        otherServer = otherListener.accept(LONG);
    }

    /** A step of the scenario. */
    private interface Step {
        boolean run() throws IOException, InterruptedException;
    }

    /** A step that creates something. */
    private interface Creation<T> {
        T run() throws IOException, InterruptedException;
    }

    /** Takes a step; returns whether it was taken, false if it failed because of the Error. */
    private static boolean take(Step step) {
        return Boolean.TRUE.equals(ofCall(step::run));
    }

    /** Returns what a step creates; null if it fails because of the Error. */
    private static <T> T ofCall(Creation<T> creation) {
        try {
            return creation.run();
        } catch (InjectedError | IOException e) {
            return null;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static <T extends AutoCloseable> T keep(CreatedObjects created, T object) {
        return object == null ? null : created.create(() -> object);
    }

    /** Runs all steps; returns whether all were taken. */
    private boolean transfer(CreatedObjects created, Duration limit) {
        RdmaStreamOptions options = limit == SHORT ? shortLimits : longLimits;
        RdmaContext own = created.create(device::open);
        RdmaStreamListener listener = own == null
                ? null
                : created.create(() -> RdmaStreamListener.bind(context, any, options));
        RdmaStream client = listener == null
                ? null
                : keep(created, ofCall(() -> RdmaStream.connect(own, listener.localAddress(), options)));
        RdmaStream server = client == null ? null : keep(created, ofCall(() -> listener.accept(limit)));
        if (server == null) {
            return false;
        }
        Direction request = new Direction(client, server, errors);
        Direction reply = new Direction(server, client, errors);
        boolean isDone = true;
        for (int i = 0; i < 4; i++) {
            isDone &= receive(request, limit, i == 0) && receive(reply, limit, false);
        }
        isDone &= notify(request, limit) && map(request, reply, limit);
        request.drain();
        reply.drain();
        isDone &= take(() -> {
            client.shutdownOutput();
            return true;
        });
        isDone &= take(() -> server.awaitReadable(limit) && server.tryRead(ByteBuffer.allocate(1)) == -1);
        return isDone;
    }

    /** One direction of the stream under test, whose bytes are numbered. */
    private static final class Direction {
        private final RdmaStream from;
        private final RdmaStream to;
        private final List<String> errors;
        private int written;
        private int read;

        Direction(RdmaStream from, RdmaStream to, List<String> errors) {
            this.from = from;
            this.to = to;
            this.errors = errors;
        }

        boolean write(int length, Duration limit) throws IOException, InterruptedException {
            ByteBuffer bytes = ByteBuffer.allocate(length);
            for (int i = 0; i < length; i++) {
                bytes.put(i, (byte) (written + i));
            }
            try {
                while (bytes.hasRemaining() && from.awaitWritable(limit)) {
                    from.tryWrite(bytes);
                }
                return !bytes.hasRemaining();
            } finally {
                written += bytes.position();
            }
        }

        boolean read(int length, Duration limit) throws IOException, InterruptedException {
            ByteBuffer bytes = ByteBuffer.allocate(length);
            try {
                int count = 0;
                while (count >= 0 && bytes.hasRemaining() && to.awaitReadable(limit)) {
                    count = to.tryRead(bytes);
                }
                return !bytes.hasRemaining();
            } finally {
                for (int i = 0; i < bytes.position(); i++) {
                    if (bytes.get(i) != (byte) (read + i)) {
                        errors.add("byte " + (read + i) + " is wrong");
                    }
                }
                read += bytes.position();
            }
        }

        /** Reads what is left, unless the stream has failed: an Error has not lost bytes. */
        void drain() {
            for (int attempts = 0; attempts < 3 && read < written; attempts++) {
                take(() -> read(written - read, LONG));
            }
            if (read < written && from.isOpen() && to.isOpen()) {
                errors.add("bytes " + read + " to " + written + " have not arrived");
            }
        }
    }

    /** Writes bytes, which another thread of this side of the JVM waits for if it blocks; returns whether they came. */
    private static boolean receive(Direction direction, Duration limit, boolean blocks) {
        CompletableFuture<Boolean> received = new CompletableFuture<>();
        Thread reader = Thread.ofPlatform().daemon()
                .unstarted(() -> received.complete(take(() -> direction.read(LENGTH, limit))));
        if (blocks) {
            reader.start();
            await(reader);
        }
        boolean isWritten = take(() -> direction.write(LENGTH, limit));
        if (!blocks) {
            reader.run();
        }
        return received.completeOnTimeout(false, LONG.toSeconds(), TimeUnit.SECONDS).join() && isWritten;
    }

    /** Waits until a thread blocks or has ended. */
    private static void await(Thread thread) {
        while (thread.isAlive() && thread.getState() == Thread.State.RUNNABLE) {
            Thread.onSpinWait();
        }
    }

    /** Writes a byte, of which a notification tells. */
    private static boolean notify(Direction direction, Duration limit) {
        Semaphore notified = new Semaphore(0);
        return take(() -> direction.to.requestNotification(RdmaStream.READABLE, notified::release) == 0)
                & take(() -> direction.write(1, limit))
                && take(() -> notified.tryAcquire(limit.toMillis(), TimeUnit.MILLISECONDS))
                && take(() -> direction.read(1, limit));
    }

    /** Maps a buffer, writes to it, and ends the mapping. */
    private static boolean map(Direction request, Direction reply, Duration limit) {
        RdmaStream owner = request.from;
        RdmaStream writer = request.to;
        try (Arena arena = Arena.ofShared()) {
            MemorySegment buffer = arena.allocate(8);
            boolean isMapped = take(() -> {
                owner.iomap().map(buffer, 0);
                return true;
            });
            boolean isWritten = isMapped && receive(request, limit, false)
                    && take(() -> writer.iomap().tryWrite(ByteBuffer.allocate(8), 0) == 8);
            isWritten &= receive(reply, limit, false);
            boolean isUnmapped = !isMapped || unmap(owner, buffer) || unmap(owner, buffer);
            return isMapped & isWritten & isUnmapped;
        }
    }

    private static boolean unmap(RdmaStream owner, MemorySegment buffer) {
        return take(() -> {
            owner.iomap().unmap(buffer);
            return true;
        });
    }

    /**
     * Runs one round with an Error at an injection point, or without one if the number is negative. Returns a
     * description of the violated conditions, or an empty string.
     */
    @Override
    public String apply(int point) {
        errors.clear();
        Map<String, Long> before = counts();
        int threads = threads();
        CreatedObjects injected = new CreatedObjects(errors);
        ErrorInjector.begin(point);
        boolean isDone = false;
        try {
            isDone = transfer(injected, point < 0 ? LONG : SHORT);
            // the Error may also be thrown during close
            injected.close();
        } catch (RuntimeException e) {
            errors.add("a step has thrown " + e);
        } finally {
            ErrorInjector.end();
        }
        if (point < 0 && !isDone) {
            errors.add("a step was not taken");
        }
        injected.closeAgain(List.of());
        check("the other stream", this::exchangeOther);
        check(before, threads, "after the Error");
        CreatedObjects healthy = new CreatedObjects(errors);
        check("another connection", () -> transfer(healthy, LONG));
        healthy.close();
        check(before, threads, "at the end");
        return String.join("; ", errors);
    }

    private void check(String what, Step step) {
        try {
            if (!step.run()) {
                errors.add(what + " does not work");
            }
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            errors.add(what + " has thrown " + e);
        }
    }

    /** Sends a byte in each direction of the other stream; connects it again if the Error was thrown in its code. */
    private boolean exchangeOther() throws IOException, InterruptedException {
        try {
            return exchange(otherClient, otherServer) && exchange(otherServer, otherClient);
        } catch (IOException e) {
            if (!hasInjectedError(e)) {
                throw e;
            }
            otherClient.close();
            otherServer.close();
            connectOther();
            return true;
        }
    }

    private static boolean hasInjectedError(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof InjectedError) {
                return true;
            }
        }
        return false;
    }

    private static boolean exchange(RdmaStream from, RdmaStream to) throws IOException, InterruptedException {
        return from.tryWrite(ByteBuffer.allocate(1)) == 1 && to.awaitReadable(LONG)
                && to.tryRead(ByteBuffer.allocate(2)) == 1;
    }

    private void check(Map<String, Long> before, int threads, String when) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
        while ((!before.equals(counts()) || threads < threads()) && System.nanoTime() - deadline < 0) {
            // the thread of the events closes streams that nobody has accepted
            Thread.yield();
        }
        if (!before.equals(counts())) {
            errors.add(when + " the device has the objects " + counts() + " instead of " + before);
        }
        if (threads < threads()) {
            errors.add(when + " there are " + threads() + " threads of streams instead of " + threads);
        }
    }

    private Map<String, Long> counts() {
        return device.capability(DeviceCounters.class).orElseThrow().resources();
    }

    /** Returns how many threads of streams there are. */
    private static int threads() {
        Thread[] all = new Thread[Thread.activeCount() + 64];
        int count = Thread.enumerate(all);
        int found = 0;
        for (int i = 0; i < count; i++) {
            if (all[i].getName().startsWith("jverbs-rsocket")) {
                found++;
            }
        }
        return found;
    }

    @Override
    public void close() {
        otherClient.close();
        otherServer.close();
        otherListener.close();
        context.close();
    }
}
