package io.jverbs.samples.perftest.run;

import io.jverbs.samples.perftest.exchange.ParameterExchange;
import io.jverbs.samples.perftest.exchange.PeerAddress;
import java.util.Arrays;

/** A transfer of the same number of bytes without verbs, which is measured for each size of a plot. */
public interface Baseline {
    /** {@return the name of the baseline} */
    String name();

    /**
     * {@return the text of the legend}
     *
     * @param both whether the test is bidirectional, which a baseline is not
     */
    default String legend(boolean both) {
        return "baseline, " + name() + (both ? ", one way" : "");
    }

    /** {@return a sentence about the probable reason of a failed measurement} */
    String failureReason();

    /**
     * Performs the client's part.
     *
     * @param size the length of a message in bytes
     * @return the median in microseconds in a latency test, otherwise bytes per second; NaN if the measurement failed
     */
    double measure(int size);

    /**
     * Performs the server's part.
     *
     * @param size the length of a message in bytes
     */
    void serve(int size);

    /**
     * {@return the baseline of a test: datagrams between two processes, memory copies within one process}
     *
     * @param settings the options
     * @param exchange the connection to the peer, which is of this project
     * @param own the address of this side
     */
    static Baseline of(Settings settings, ParameterExchange exchange, PeerAddress own) {
        return settings.loopback() ? new MemoryBaseline(settings) : new DatagramBaseline(settings, exchange, own);
    }

    /** {@return the number of messages of a size} */
    static int iterations(int size) {
        long bytes = 32L << 20;
        return Math.clamp(bytes / size, 20, 5000);
    }

    /** {@return the median in microseconds of times in nanoseconds} */
    static double medianMicros(long[] nanos) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2] / 1e3;
    }
}
