package io.jverbs.samples.udpong;

import io.jverbs.samples.console.Units;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * One test of udpong.
 *
 * @param name its name in the first column
 * @param size the bytes of a message
 * @param transfers how many messages the client sends
 * @param echo whether the server returns them
 */
record UdpongCase(String name, int size, int transfers, boolean echo) {
    static final String HEADING = row("name", "bytes", "xfers", "total", "    time     Gb/sec    usec/xfer");

    private static final List<Integer> SIZES = List.of(64, 128, 192, 256, 384, 512, 768, 1024, 1536);
    private static final int KIBI = 1 << 10;
    private static final int LATENCY_SHARE = 10;
    private static final int BANDWIDTH_TRANSFERS = 100_000;
    private static final int BANDWIDTH_TRANSFERS_OF_KIBI = 10_000;

    /** Returns the series: the latency of all sizes, then the bandwidth. */
    static List<UdpongCase> series() {
        return Stream.concat(
                SIZES.stream().map(size -> new UdpongCase(Units.bytes(size) + "_lat", size,
                        repetitions(size) / LATENCY_SHARE, true)),
                SIZES.stream().map(size -> new UdpongCase(Units.bytes(size) + "_bw", size, repetitions(size),
                        false)))
                .toList();
    }

    private static int repetitions(int size) {
        return size >= KIBI ? BANDWIDTH_TRANSFERS_OF_KIBI : BANDWIDTH_TRANSFERS;
    }

    /** Returns the row of the result for the messages that have arrived; with echo, those of both directions. */
    String row(long nanos, long arrived) {
        long bytes = arrived * size;
        double micros = nanos / 1e3;
        return row(name, Units.bytes(size), Units.count(arrived), Units.bytes(bytes),
                String.format(Locale.ROOT, "%8.2fs%10.2f%11.2f", nanos / 1e9, bytes * 8.0 / nanos,
                        arrived == 0 ? 0 : micros / arrived));
    }

    private static String row(String name, String bytes, String transfers, String total, String rest) {
        return String.format("%-10s%-8s%-8s%-8s%s", name, bytes, transfers, total, rest);
    }
}
