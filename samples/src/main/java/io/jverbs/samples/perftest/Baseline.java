package io.jverbs.samples.perftest;

import java.util.Arrays;

/** What the machine does with the same number of bytes without verbs, measured beside each size of a plot. */
interface Baseline {
    /** {@return what it is} */
    String name();

    /**
     * {@return what it is, for the legend}
     *
     * @param both whether what it stands beside goes both ways, as it does not
     */
    default String legend(boolean both) {
        return "baseline, " + name() + (both ? ", one way" : "");
    }

    /** {@return a sentence that says why nothing may have come of it} */
    String lost();

    /**
     * Measures, on the client's side.
     *
     * @param size the length of a message in bytes
     * @return for tests of latency the median in microseconds, otherwise bytes per second; NaN if nothing came of it
     */
    double measure(int size);

    /**
     * Does the server's part.
     *
     * @param size the length of a message in bytes
     * @param iterations how many there are
     * @param port the client's UDP port
     */
    void serve(int size, int iterations, int port);

    /** {@return that of a test: datagrams between two processes, memory within one} */
    static Baseline of(Settings settings, Control control) {
        return settings.loopback() ? new MemoryBaseline(settings) : new DatagramBaseline(settings, control);
    }

    /** {@return how many messages of a size are measured} */
    static int iterations(int size) {
        long bytes = 32L << 20;
        return Math.clamp(bytes / size, 20, 5000);
    }

    /** {@return the median of times in nanoseconds, in microseconds} */
    static double medianMicros(long[] nanos) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2] / 1e3;
    }
}
