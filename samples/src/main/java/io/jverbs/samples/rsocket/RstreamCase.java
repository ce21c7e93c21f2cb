package io.jverbs.samples.rsocket;

import io.jverbs.samples.console.Units;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One test of rstream or riostream.
 *
 * @param name its name in the first column
 * @param size the bytes of a transfer
 * @param transfers how many transfers the client sends, and then the server, in an iteration
 * @param iterations how often
 */
record RstreamCase(String name, int size, int transfers, int iterations) {
    static final String HEADING = row("name", "bytes", "xfers", "iters", "total", "    time     Gb/sec    usec/xfer");

    private static final int SMALLEST_BIT = 6;
    private static final int LARGEST_BIT = 22;
    private static final int KIBI = 1 << 10;
    private static final int MEBI = 1 << 20;
    private static final int THOUSAND = 1_000;
    private static final double NANOS_PER_MICRO = 1e3;

    /** The sizes without options: 64 bytes, 4 KiB, 64 KiB and 1 MiB. */
    private static final List<Integer> SIZES = List.of(1 << SMALLEST_BIT, 4 * KIBI, 64 * KIBI, MEBI);

    /** Returns the sizes: those without options, or all powers of two and the middles between them. */
    static List<Integer> sizes(boolean all) {
        return all
                ? Stream.concat(Stream.of(1 << SMALLEST_BIT), IntStream.rangeClosed(SMALLEST_BIT + 1, LARGEST_BIT)
                        .boxed().flatMap(bit -> Stream.of(1 << bit, (1 << bit) + (1 << bit - 1)))).toList()
                : SIZES;
    }

    static int largestSize() {
        return (1 << LARGEST_BIT) + (1 << LARGEST_BIT - 1);
    }

    static RstreamCase latency(int size) {
        return new RstreamCase(Units.bytes(size) + "_lat", size, 1, repetitions(size));
    }

    static RstreamCase bandwidth(int size) {
        return new RstreamCase(Units.bytes(size) + "_bw", size, repetitions(size), 1);
    }

    private static int repetitions(int size) {
        if (size >= MEBI) {
            return 100;
        }
        return size >= 64 * KIBI ? THOUSAND : size >= KIBI ? 10 * THOUSAND : 100 * THOUSAND;
    }

    /** Returns the row of the result. */
    String row(long nanos) {
        long bytes = 2L * iterations * transfers * size;
        return row(name, Units.bytes(size), Units.count(transfers), Units.count(iterations), Units.bytes(bytes),
                String.format(Locale.ROOT, "%8.2fs%10.2f%11.2f", nanos / 1e9, bytes * 8.0 / nanos,
                        nanos / NANOS_PER_MICRO / iterations / (2.0 * transfers)));
    }

    private static String row(String name, String bytes, String transfers, String iterations, String total,
            String rest) {
        return String.format("%-10s%-8s%-8s%-8s%-8s%s", name, bytes, transfers, iterations, total, rest);
    }
}
