package io.jverbs.soft.injection;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.control.DeviceCounters;
import io.jverbs.injection.CreatedObjects;
import io.jverbs.injection.ErrorInjector;
import io.jverbs.injection.ErrorInjector.InjectedError;
import io.jverbs.rsocket.RdmaStream;
import io.jverbs.rsocket.RdmaStreamBinding;
import io.jverbs.rsocket.RdmaStreamListener;
import io.jverbs.rsocket.RdmaStreamOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/**
 * A scenario that reserves a port and connects a stream from it, while an Error is thrown at one injection point, in
 * this thread or another one. It checks that everything can be closed, that the device then has as many objects and CM
 * IDs as before, and that the port is free. The test loads this class with a class loader of its own, together with the
 * classes of the streams.
 */
public final class InjectedBindings implements IntFunction<String>, AutoCloseable {
    /** How long a step may take that an Error in another thread has made impossible. */
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final int PORT = 4711;

    private final RdmaContext context;
    private final InetSocketAddress any;
    private final InetSocketAddress source;
    private final RdmaStreamOptions shortLimits = options(SHORT);
    private final RdmaStreamOptions longLimits = options(LONG);
    private final List<String> errors = new ArrayList<>();

    /** Opens a device. */
    public InjectedBindings(String selector) {
        context = Verbs.open(selector);
        InetAddress own = context.preferredGid(1).gid().toInetAddress();
        any = new InetSocketAddress(own, 0);
        source = new InetSocketAddress(own, PORT);
    }

    /** Returns options for threads that block at once. */
    private static RdmaStreamOptions options(Duration limit) {
        return RdmaStreamOptions.DEFAULT.withCloseTimeout(limit).withConnectTimeout(limit).withSpin(Duration.ZERO);
    }

    /** Connects a stream from the port, and sends a byte; returns whether it arrived. */
    private boolean connect(CreatedObjects created, Duration limit) {
        RdmaStreamOptions options = limit == SHORT ? shortLimits : longLimits;
        RdmaStreamListener listener = created.create(() -> RdmaStreamListener.bind(context, any, options));
        RdmaStreamBinding binding = listener == null
                ? null
                : created.create(() -> RdmaStreamBinding.bind(context, source));
        RdmaStream client = binding == null
                ? null
                : created.create(() -> binding.beginConnect(listener.localAddress(), options));
        RdmaStream accepted = client == null ? null : accept(listener, limit);
        if (accepted == null) {
            return false;
        }
        RdmaStream server = created.create(() -> accepted);
        try {
            return client.awaitWritable(limit) && client.tryWrite(ByteBuffer.allocate(1)) == 1
                    && server.awaitReadable(limit) && server.tryRead(ByteBuffer.allocate(1)) == 1;
        } catch (InjectedError | IOException e) {
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the next stream; null if the Error has made that impossible. */
    private static RdmaStream accept(RdmaStreamListener listener, Duration limit) {
        try {
            return listener.accept(limit);
        } catch (InjectedError | IOException e) {
            return null;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Runs one round with an Error at an injection point, or without one if the number is negative. Returns a
     * description of the violated conditions, or an empty string.
     */
    @Override
    public String apply(int point) {
        errors.clear();
        Map<String, Long> before = counts();
        CreatedObjects injected = new CreatedObjects(errors);
        ErrorInjector.begin(point);
        boolean isDone = false;
        try {
            isDone = connect(injected, point < 0 ? LONG : SHORT);
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
        check(before, "after the Error");
        CreatedObjects healthy = new CreatedObjects(errors);
        try {
            if (!connect(healthy, LONG)) {
                errors.add("another stream from the port does not work");
            }
        } catch (RuntimeException e) {
            errors.add("another stream from the port has thrown " + e);
        }
        healthy.close();
        check(before, "at the end");
        return String.join("; ", errors);
    }

    private void check(Map<String, Long> before, String when) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
        while (!before.equals(counts()) && System.nanoTime() - deadline < 0) {
            // the thread of the events closes streams that nobody has accepted
            Thread.yield();
        }
        if (!before.equals(counts())) {
            errors.add(when + " the device has the objects " + counts() + " instead of " + before);
        }
    }

    private Map<String, Long> counts() {
        DeviceCounters counters = context.device().capability(DeviceCounters.class).orElseThrow();
        Map<String, Long> counts = new HashMap<>(counters.resources());
        counts.put("cm_id", (long) counters.cmIds().size());
        return counts;
    }

    @Override
    public void close() {
        context.close();
    }
}
