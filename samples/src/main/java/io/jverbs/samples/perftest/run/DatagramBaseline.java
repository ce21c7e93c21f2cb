package io.jverbs.samples.perftest.run;

import io.jverbs.samples.perftest.exchange.ParameterExchange;
import io.jverbs.samples.perftest.exchange.PeerAddress;
import io.jverbs.samples.perftest.exchange.Request;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;

/**
 * The baseline of two processes: plain UDP datagrams between the addresses of their connection, and between UDP ports
 * of the same numbers. They are exchanged as a ping-pong, as small requests with responses, or as a stream. A message
 * may take several datagrams.
 */
final class DatagramBaseline implements Baseline {
    /** The largest payload of a datagram: 65535 bytes less the headers. */
    private static final int MOST_IPV4 = 65_507;
    private static final int MOST_IPV6 = 65_487;
    private static final int PASSES = 2;
    private static final double NANOS_PER_SECOND = 1e9;

    private final Settings settings;
    private final ParameterExchange exchange;
    private final PeerAddress own;

    DatagramBaseline(Settings settings, ParameterExchange exchange, PeerAddress own) {
        this.settings = settings;
        this.exchange = exchange;
        this.own = own;
    }

    @Override
    public String name() {
        return "plain datagrams";
    }

    @Override
    public String failureReason() {
        return "datagrams between the two sides were lost, a firewall drops them, or the UDP port "
                + exchange.ownEndpoint().getPort() + " here or " + exchange.peerEndpoint().getPort()
                + " at the peer is in use.";
    }

    @Override
    public double measure(int size) {
        exchange.synchronize(own, new Request(Request.Kind.BASELINE, Math.min(size, Request.MOST)));
        double result = 0;
        try (PacedDatagramSocket socket = open()) {
            synchronize();
            // The result is that of the last pass, whose code is compiled.
            for (int pass = 0; pass < PASSES && !Double.isNaN(result); pass++) {
                result = pass(socket, size);
            }
        } catch (IOException e) {
            result = Double.NaN;
        }
        synchronize();
        return result;
    }

    private void synchronize() {
        exchange.synchronize(own, Request.NONE);
    }

    private double pass(PacedDatagramSocket socket, int size) throws IOException {
        if (socket == null) {
            return Double.NaN;
        }
        int iterations = Baseline.iterations(size);
        return settings.latency() ? times(socket, size, iterations) : stream(socket, size, iterations);
    }

    private double times(PacedDatagramSocket socket, int size, int iterations) throws IOException {
        long[] times = new long[iterations];
        boolean fetches = settings.verb().fetches();
        for (int i = 0; i < iterations; i++) {
            long start = System.nanoTime();
            if (!socket.send(fetches ? 1 : size, 1) || !socket.receive(size, 1)) {
                return Double.NaN;
            }
            times[i] = System.nanoTime() - start;
        }
        return Baseline.medianMicros(times) / (fetches ? 1 : 2);
    }

    private static double stream(PacedDatagramSocket socket, int size, int iterations) throws IOException {
        long start = System.nanoTime();
        if (!socket.send(size, iterations) || !socket.receive(1, 1)) {
            return Double.NaN;
        }
        return size * (double) iterations / (System.nanoTime() - start) * NANOS_PER_SECOND;
    }

    @Override
    public void serve(int size) {
        int iterations = Baseline.iterations(size);
        try (PacedDatagramSocket socket = open()) {
            synchronize();
            boolean complete = socket != null;
            for (int pass = 0; pass < PASSES && complete; pass++) {
                complete = settings.latency() ? respond(socket, size, iterations) : take(socket, size, iterations);
            }
        } catch (IOException e) {
            // the client waits for a datagram until its time is up, and has no baseline
        }
        synchronize();
    }

    private boolean respond(PacedDatagramSocket socket, int size, int iterations) throws IOException {
        int request = settings.verb().fetches() ? 1 : size;
        for (int i = 0; i < iterations; i++) {
            if (!socket.receive(request, 1) || !socket.send(size, 1)) {
                return false;
            }
        }
        return true;
    }

    private static boolean take(PacedDatagramSocket socket, int size, int iterations) throws IOException {
        return socket.receive(size, iterations) && socket.send(1, 1);
    }

    /** {@return a socket that is connected to the peer's, null if the port is in use} */
    private PacedDatagramSocket open() {
        InetSocketAddress from = exchange.ownEndpoint();
        int most = from.getAddress() instanceof Inet4Address ? MOST_IPV4 : MOST_IPV6;
        try {
            return new PacedDatagramSocket(from, exchange.peerEndpoint(), most, settings.patience());
        } catch (IOException e) {
            return null;
        }
    }
}
