package io.jverbs.samples.perftest;

import io.jverbs.samples.SampleFailure;
import java.io.IOException;
import java.net.Inet4Address;

/**
 * Bare datagrams between the two processes, at the addresses of their TCP connection: a ping-pong, a small request and its answer,
 * or a stream. A message that is longer than a datagram takes several.
 */
final class DatagramBaseline implements Baseline {
    private static final String LISTENING = "listening";
    private static final String MEASURED = "measured";
    /** What the 16 bits of the length hold, less the headers. */
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
        return "bare datagrams";
    }

    @Override
    public String lost() {
        return "datagrams between the two sides were lost, or are not let through.";
    }

    @Override
    public double measure(int size) {
        int iterations = Baseline.iterations(size);
        try (DatagramLine line = open()) {
            control.send(Client.BASELINE + " " + size + " " + iterations + " " + line.port());
            line.connect(control.peer().getAddress(),
                    Integer.parseInt(control.receive(LISTENING, settings.patience())[0]));
            double result = 0;
            // What counts is the last pass: compiled code.
            for (int pass = 0; pass < PASSES && !Double.isNaN(result); pass++) {
                result = settings.latency() ? times(line, size, iterations) : stream(line, size, iterations);
            }
            control.send(MEASURED);
            control.receive(MEASURED);
            return result;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private double times(DatagramLine line, int size, int iterations) throws IOException {
        long[] times = new long[iterations];
        boolean fetches = settings.verb().fetches();
        for (int i = 0; i < iterations; i++) {
            long start = System.nanoTime();
            if (!line.send(fetches ? 1 : size, 1) || !line.receive(size, 1)) {
                return Double.NaN;
            }
            times[i] = System.nanoTime() - start;
        }
        return Baseline.medianMicros(times) / (fetches ? 1 : 2);
    }

    private static double stream(DatagramLine line, int size, int iterations) throws IOException {
        long start = System.nanoTime();
        if (!line.send(size, iterations) || !line.receive(1, 1)) {
            return Double.NaN;
        }
        return size * (double) iterations / (System.nanoTime() - start) * NANOS_PER_SECOND;
    }

    @Override
    public void serve(int size, int iterations, int port) {
        try (DatagramLine line = open()) {
            line.connect(control.peer().getAddress(), port);
            control.send(LISTENING + " " + line.port());
            boolean good = true;
            for (int pass = 0; pass < PASSES && good; pass++) {
                good = settings.latency() ? answer(line, size, iterations) : take(line, size, iterations);
            }
            control.send(MEASURED);
            control.receive(MEASURED);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private boolean answer(DatagramLine line, int size, int iterations) throws IOException {
        int request = settings.verb().fetches() ? 1 : size;
        for (int i = 0; i < iterations; i++) {
            if (!line.receive(request, 1) || !line.send(size, 1)) {
                return false;
            }
        }
        return true;
    }

    private static boolean take(DatagramLine line, int size, int iterations) throws IOException {
        return line.receive(size, iterations) && line.send(1, 1);
    }

    private DatagramLine open() throws IOException {
        boolean ipv4 = control.own().getAddress() instanceof Inet4Address;
        return new DatagramLine(control.own().getAddress(), ipv4 ? MOST_IPV4 : MOST_IPV6, settings.patience());
    }

    private static SampleFailure failed(IOException e) {
        return new SampleFailure("the datagrams of the baseline could not be sent: " + e.getMessage() + ".");
    }
}
