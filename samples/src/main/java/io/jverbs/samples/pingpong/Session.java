package io.jverbs.samples.pingpong;

import io.jverbs.RdmaContext;
import io.jverbs.samples.connect.CmConnections;
import io.jverbs.samples.connect.Devices;
import io.jverbs.samples.connect.MessageChannel;
import io.jverbs.samples.connect.Tcp;
import io.jverbs.samples.console.SampleFailure;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** A run of a ping-pong. Prints the lines of the C programs. */
final class Session {
    /** Longer than the connection manager tries to connect, so that its event tells why there is no connection. */
    private static final Duration CONNECTION_PATIENCE = Duration.ofSeconds(75);
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double MICROS_PER_SECOND = 1e6;

    private final Settings settings;
    private final Transport transport;
    private final boolean shared;
    private final PrintWriter out;

    Session(Settings settings, Transport transport, boolean shared, PrintWriter out) {
        this.settings = settings;
        this.transport = transport;
        this.shared = shared;
        this.out = out;
    }

    /**
     * Runs the ping-pong.
     *
     * @return the number of returned messages whose bytes were correct, but from several messages in flight: 0 unless
     *         the peer keeps messages of several queue pairs in one buffer
     */
    int run() {
        try (RdmaContext context = Devices.find(settings.device()).open()) {
            if (!settings.rdmaCm()) {
                Endpoint endpoint = new Endpoint(context, settings, transport, shared, null);
                return run(endpoint, own -> exchange(endpoint, own), () -> false);
            }
            try (CmConnections cm = connections(context); MessageChannel messages = cm.messages()) {
                Endpoint endpoint = new Endpoint(context, settings, transport, shared, cm);
                int mixed = run(endpoint, own -> DestinationExchange.over(messages, settings.isClient(), own),
                        messages::isPeerGone);
                // the last message of the ping-pong is acknowledged when both sides are here
                DestinationExchange.over(messages, settings.isClient(), List.of(Destination.NONE));
                messages.finish(!settings.isClient(), DestinationExchange.PATIENCE);
                return mixed;
            }
        }
    }

    private CmConnections connections(RdmaContext context) {
        return settings.isClient()
                ? CmConnections.client(context,
                        new InetSocketAddress(Tcp.resolve(settings.host())[0], settings.tcpPort()), transport.type(),
                        CONNECTION_PATIENCE)
                : CmConnections.server(context, new InetSocketAddress(settings.tcpPort()), transport.type(),
                        CONNECTION_PATIENCE);
    }

    private int run(Endpoint endpoint, UnaryOperator<List<Destination>> exchange, BooleanSupplier peerGone) {
        List<Destination> own = endpoint.destinations();
        own.forEach(destination -> print("  local address:  ", destination, transport.beforeOwnGid()));
        List<Destination> peers = exchange.apply(own);
        peers.subList(0, own.size()).forEach(destination -> print("  remote address: ", destination, ", GID "));
        if (settings.isClient() && !settings.rdmaCm()) {
            endpoint.connect(peers);
        }
        byte filler = (byte) (shared ? 0 : 0x7b);
        ContentCheck contents = settings.check() ? new ContentCheck(settings, own, peers, filler) : null;
        long nanos = new PingPong(settings, endpoint, transport.headroom(), contents, filler, peerGone)
                .run();
        printRates(nanos / NANOS_PER_MICRO);
        if (contents != null && contents.wrong() > 0) {
            print("invalid data in page %d", contents.wrongPage());
            throw new SampleFailure(contents.firstWrong(own));
        }
        return contents == null ? 0 : contents.mixed();
    }

    private List<Destination> exchange(Endpoint endpoint, List<Destination> own) {
        List<Destination> sent = shared ? SrqPingPongCommand.padded(own) : own;
        return settings.isClient()
                ? DestinationExchange.asClient(settings.host(), settings.tcpPort(), sent)
                : DestinationExchange.asServer(settings.tcpPort(), sent, endpoint::connect);
    }

    private void print(String before, Destination destination, String beforeGid) {
        print("%s", before + destination.numbers() + beforeGid + destination.gid());
    }

    private void printRates(double micros) {
        long bytes = 2L * settings.size() * settings.iterations();
        print("%d bytes in %.2f seconds = %.2f Mbit/sec", bytes, micros / MICROS_PER_SECOND,
                bytes * (double) Byte.SIZE / micros);
        print("%d iters in %.2f seconds = %.2f usec/iter", settings.iterations(), micros / MICROS_PER_SECOND,
                micros / settings.iterations());
    }

    private void print(String format, Object... values) {
        out.print(String.format(Locale.ROOT, format, values) + "\n");
        out.flush();
    }
}
