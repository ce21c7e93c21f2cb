package io.jverbs.soft.injection;

import io.jverbs.RdmaContext;
import io.jverbs.RdmaDevice;
import io.jverbs.Verbs;
import io.jverbs.control.DeviceCounters;
import io.jverbs.endpoint.Endpoint;
import io.jverbs.endpoint.EndpointException;
import io.jverbs.endpoint.EndpointOptions;
import io.jverbs.endpoint.Listener;
import io.jverbs.endpoint.Message;
import io.jverbs.injection.CreatedObjects;
import io.jverbs.injection.ErrorInjector;
import io.jverbs.injection.ErrorInjector.InjectedError;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/**
 * A scenario that connects two endpoints of a device, transfers a message, a request and its reply, and closes
 * everything, while an Error is thrown at one injection point, in this thread or in one of the endpoints. It checks
 * that everything can be closed, that the device then has as many objects as before, that the future of the request has
 * completed, and that other endpoints exchange messages. The test loads this class with a class loader of its own,
 * together with the classes of the endpoints.
 */
public final class InjectedEndpoints implements IntFunction<String>, AutoCloseable {
    private static final String TEXT = "hello";
    /** How long a step may take that an Error in another thread has made impossible. */
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final Duration LONG = Duration.ofSeconds(20);

    private final RdmaDevice device;
    private final RdmaContext keepAlive;
    private final EndpointOptions shortLimits = limits(SHORT);
    private final EndpointOptions longLimits = limits(LONG);
    private final List<String> errors = new ArrayList<>();
    /** Completes with the reply to the request of this round; null if the request was not sent. */
    private CompletableFuture<Message> replied;

    /** Opens a device. */
    public InjectedEndpoints(String selector) {
        this.device = Verbs.select(selector);
        keepAlive = device.open();
    }

    private static EndpointOptions limits(Duration limit) {
        return EndpointOptions.builder().connectTimeout(limit).closeTimeout(limit).build();
    }

    /** Returns the result of a call; null if it fails because of the Error. */
    private static <T> T ofCall(Callable<T> call) {
        try {
            return call.call();
        } catch (InjectedError | EndpointException e) {
            return null;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Connects, and transfers a message; returns its text, null if a step has failed. */
    private String connect(CreatedObjects created, Duration limit) {
        EndpointOptions options = limit == SHORT ? shortLimits : longLimits;
        RdmaContext context = created.create(device::open);
        if (context == null) {
            return null;
        }
        InetSocketAddress any = new InetSocketAddress(context.preferredGid(1).gid().toInetAddress(), 0);
        Listener listener = created.create(() -> Listener.bind(context, any, options));
        Endpoint client = listener == null
                ? null
                : keep(created, ofCall(() -> Endpoint.connect(context, listener.localAddress(), options)));
        Endpoint server = client == null ? null : keep(created, ofCall(() -> listener.accept(limit)));
        if (server == null) {
            return null;
        }
        ofCall(() -> {
            client.send(TEXT);
            return TEXT;
        });
        String received = ofCall(() -> {
            try (Message message = server.receive(limit)) {
                return message == null ? null : message.text();
            }
        });
        return received == null ? null : ofCall(() -> ask(client, server, received, limit));
    }

    /** Makes the server reply to requests, and returns what it replies to one. */
    private String ask(Endpoint client, Endpoint server, String text, Duration limit) throws Exception {
        server.onMessage((endpoint, message) -> message.reply(message.text()));
        replied = client.request(MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8)));
        try (Message reply = replied.get(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            return reply.text();
        } catch (ExecutionException | TimeoutException e) {
            return null;
        }
    }

    private static <T extends AutoCloseable> T keep(CreatedObjects created, T object) {
        return object == null ? null : created.create(() -> object);
    }

    /**
     * Runs one round with an Error at an injection point, or without one if the number is negative. Returns a
     * description of the violated conditions, or an empty string.
     */
    @Override
    public String apply(int point) {
        errors.clear();
        replied = null;
        Map<String, Long> before = counts();
        CreatedObjects injected = new CreatedObjects(errors);
        ErrorInjector.begin(point);
        try {
            connect(injected, point < 0 ? LONG : SHORT);
            // the Error may also be thrown during close
            injected.close();
        } finally {
            ErrorInjector.end();
        }
        injected.closeAgain(List.of());
        if (replied != null && !replied.isDone()) {
            errors.add("the future of the request has not completed");
        }
        check(before, "after the Error");
        CreatedObjects healthy = new CreatedObjects(errors);
        String received = connect(healthy, LONG);
        if (!TEXT.equals(received)) {
            errors.add("other endpoints have transferred " + received);
        }
        healthy.close();
        check(before, "at the end");
        return String.join("; ", errors);
    }

    private void check(Map<String, Long> before, String when) {
        long deadline = System.nanoTime() + LONG.toNanos();
        while (!before.equals(counts()) && System.nanoTime() - deadline < 0) {
            // the last user's thread may not be the one that destroys what they share
            Thread.yield();
        }
        if (!before.equals(counts())) {
            errors.add(when + " the device has the objects " + counts() + " instead of " + before);
        }
    }

    private Map<String, Long> counts() {
        return device.capability(DeviceCounters.class).orElseThrow().resources();
    }

    @Override
    public void close() {
        keepAlive.close();
    }
}
