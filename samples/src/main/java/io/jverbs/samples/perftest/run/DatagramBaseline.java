package io.jverbs.samples.perftest.run;

import io.jverbs.samples.console.SampleFailure;
import java.io.IOException;
import java.net.Inet4Address;

/**
 * The baseline of two processes: plain UDP datagrams between the addresses of their TCP connection. They are exchanged
 * as a ping-pong, as small requests with responses, or as a stream. A message may take several datagrams.
 */
final class DatagramBaseline implements Baseline {
    private static final String LISTENING = "listening";
    private static final String MEASURED = "measured";
    /** The largest payload of a datagram: 65535 bytes less the headers. */
    private static final int MOST_IPV4 = 65_507;
    private static final int MOST_IPV6 = 65_487;
    private static final int PASSES = 2;
    private static final double NANOS_PER_SECOND = 1e9;

    private final Settings settings;
    private final Control control;

    DatagramBaseline(Settings settings, Control control) {
        this.settings = settings;
        this.control = control;
    }

    @Override
    public String name() {
        return "plain datagrams";
    }

    @Override
    public String failureReason() {
        return "datagrams between the two sides were lost, or a firewall drops them.";
    }

    @Override
    public double measure(int size) {
        int iterations = Baseline.iterations(size);
        try (PacedDatagramSocket socket = open()) {
            control.send(REQUEST + " " + size + " " + iterations + " " + socket.port());
            socket.connect(control.peer().getAddress(),
                    Integer.parseInt(control.receive(LISTENING, settings.patience())[0]));
            double result = 0;
            // The result is that of the last pass, whose code is compiled.
            for (int pass = 0; pass < PASSES && !Double.isNaN(result); pass++) {
                result = settings.latency() ? times(socket, size, iterations) : stream(socket, size, iterations);
            }
            control.send(MEASURED);
            control.receive(MEASURED);
            return result;
        } catch (IOException e) {
            throw failed(e);
        }
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
    public void serve(int size, int iterations, int port) {
        try (PacedDatagramSocket socket = open()) {
            socket.connect(control.peer().getAddress(), port);
            control.send(LISTENING + " " + socket.port());
            boolean complete = true;
            for (int pass = 0; pass < PASSES && complete; pass++) {
                complete = settings.latency() ? respond(socket, size, iterations) : take(socket, size, iterations);
            }
            control.send(MEASURED);
            control.receive(MEASURED);
        } catch (IOException e) {
            throw failed(e);
        }
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

    private PacedDatagramSocket open() throws IOException {
        boolean ipv4 = control.own().getAddress() instanceof Inet4Address;
        return new PacedDatagramSocket(control.own().getAddress(), ipv4 ? MOST_IPV4 : MOST_IPV6, settings.patience());
    }

    private static SampleFailure failed(IOException e) {
        return new SampleFailure("the datagrams of the baseline could not be sent: " + e.getMessage() + ".");
    }
}
