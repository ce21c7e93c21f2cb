package io.jverbs.bench.wire;

import io.jverbs.RdmaContext;
import io.jverbs.bench.process.Connection;
import io.jverbs.bench.process.ControlConnection;
import io.jverbs.bench.process.Sides;
import io.jverbs.bench.process.Workload;
import io.jverbs.endpoint.Endpoint;
import io.jverbs.endpoint.EndpointOptions;
import io.jverbs.endpoint.Listener;
import io.jverbs.endpoint.Message;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** A ping-pong of messages of endpoints. */
final class EndpointLatency implements Workload {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    /** The other process checks as often as this whether it is stopped. */
    private static final Duration CHECK = Duration.ofMillis(100);

    private final RdmaContext context;
    private final Endpoint endpoint;
    private final MemorySegment data;

    /** What threads do until a message arrives. */
    enum Wait {
        /** They poll all the time, as in the other workloads of this package. */
        POLLS,
        /** They wait as the default options state. */
        BLOCKS
    }

    EndpointLatency(Sides sides, ControlConnection control, int size, Wait wait) throws IOException {
        EndpointOptions.Builder builder = EndpointOptions.builder().messageSize(size);
        EndpointOptions options = (wait == Wait.POLLS ? builder.spin(TIMEOUT) : builder).build();
        context = Connection.open(sides);
        data = Arena.ofAuto().allocate(size);
        boolean isConnected = false;
        try {
            endpoint = connect(sides, control, options);
            isConnected = true;
        } catch (InterruptedException e) {
            throw interrupted(e);
        } finally {
            if (!isConnected) {
                context.close();
            }
        }
    }

    private Endpoint connect(Sides sides, ControlConnection control, EndpointOptions options)
            throws IOException, InterruptedException {
        if (sides.measures()) {
            int port = (int) control.exchange(0)[0];
            return Endpoint.connect(context, new InetSocketAddress(sides.other(), port), options);
        }
        try (Listener listener = Listener.bind(context, new InetSocketAddress(sides.own(), 0), options)) {
            control.exchange(listener.localAddress().getPort());
            return listener.accept();
        }
    }

    @Override
    public void once() throws IOException {
        try {
            endpoint.send(data);
            try (Message message = endpoint.receive(TIMEOUT)) {
                if (message == null) {
                    throw new IOException("no message within " + TIMEOUT);
                }
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    @Override
    public void serve(BooleanSupplier stopped) throws IOException {
        try {
            while (!stopped.getAsBoolean()) {
                try (Message message = endpoint.receive(CHECK)) {
                    if (message != null) {
                        endpoint.send(data);
                    }
                }
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static IOException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return (IOException) new InterruptedIOException("interrupted while a message is awaited").initCause(e);
    }

    @Override
    public void close() {
        try (context) {
            endpoint.close();
        }
    }
}
