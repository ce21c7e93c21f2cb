package io.jverbs.bench.wire;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * RC over the wire between two processes on this machine, beside bare datagrams with the same system calls, round by round in
 * turn. Prints medians of the rounds after warm-up, and judges their ratios; exit status 1 if one is beyond its limit. Takes
 * half a minute; needs two processors and nothing else that runs.
 */
public final class WireAgainstDatagrams {
    private static final String MEASURING = "127.0.0.5";
    private static final String OTHER = "127.0.0.6";
    private static final int WARM_UP = 3;
    private static final int ROUNDS = 7;
    private static final int SMALL = 64;
    private static final int ITERATIONS = 20_000;
    private static final int LARGE = 1 << 20;
    private static final int MTU = 4096;
    private static final int MESSAGES = 400;
    private static final int REAPED = 0;
    private static final int AWAITED = 1;
    private static final int BARE_LATENCY = 2;
    private static final int WRITE = 3;
    private static final int BARE_STREAM = 4;
    private static final double MOST_REAPED = 1.5;
    private static final double MOST_AWAITED = 2;
    private static final double LEAST_BANDWIDTH = 0.6;

    private WireAgainstDatagrams() {}

    /**
     * Runs and judges.
     *
     * @param args none; the other process gets the port of the first one
     * @throws IOException if the processes cannot talk to each other
     */
    public static void main(String... args) throws IOException {
        if (args.length == 1) {
            try (Line line = new Line(new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0])))) {
                run(new Sides(OTHER, MEASURING, false), line);
            }
            return;
        }
        boolean good;
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Process other = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    System.getProperty("java.class.path"), WireAgainstDatagrams.class.getName(),
                    Integer.toString(listener.getLocalPort())).inheritIO().start();
            try (Line line = new Line(listener.accept())) {
                good = report(run(new Sides(MEASURING, OTHER, true), line));
            } finally {
                other.destroy();
            }
        }
        System.exit(good ? 0 : 1);
    }

    /** All rounds; a row for each contest. */
    private static double[][] run(Sides sides, Line line) throws IOException {
        double[][] values = new double[BARE_STREAM + 1][WARM_UP + ROUNDS];
        // in turn, so that what disturbs one disturbs the other
        run(sides, line, List.of(REAPED, BARE_LATENCY, AWAITED), values);
        run(sides, line, List.of(WRITE, BARE_STREAM), values);
        return values;
    }

    private static void run(Sides sides, Line line, List<Integer> group, double[][] values) throws IOException {
        for (int round = 0; round < WARM_UP + ROUNDS; round++) {
            for (int which : group) {
                try (Contest contest = open(which, sides, line)) {
                    line.meet();
                    values[which][round] = contest.round();
                    line.meet();
                }
            }
            if (sides.measures()) {
                System.err.printf("\r%s, round %d of %d ", group.contains(WRITE) ? "bandwidth" : "latency", round + 1,
                        WARM_UP + ROUNDS);
            }
        }
    }

    private static Contest open(int which, Sides sides, Line line) throws IOException {
        return switch (which) {
            case REAPED -> new SendPingPong(sides, line, SMALL, ITERATIONS, false);
            case AWAITED -> new SendPingPong(sides, line, SMALL, ITERATIONS, true);
            case BARE_LATENCY -> new DatagramPingPong(sides, SMALL, ITERATIONS);
            case WRITE -> new WriteStream(sides, line, LARGE, MESSAGES);
            default -> new DatagramStream(sides, MTU, LARGE / MTU * MESSAGES);
        };
    }

    private static boolean report(double[][] values) {
        double[] medians = Arrays.stream(values).mapToDouble(WireAgainstDatagrams::median).toArray();
        System.err.print("\r                              \r");
        System.out.printf("%-58s %10s %10s %6s%n", "two processes, median of " + ROUNDS + " rounds", "jverbs",
                "datagrams",
                "ratio");
        boolean good = print("RC SEND 64 B, half a round trip, us", medians[REAPED], medians[BARE_LATENCY],
                MOST_REAPED);
        good &= print("the same, completions of both directions awaited, us", medians[AWAITED], medians[BARE_LATENCY],
                MOST_AWAITED);
        double ratio = medians[WRITE] / medians[BARE_STREAM];
        System.out.printf(Locale.ROOT, "%-58s %10.0f %10.0f %6.2f%s%n", "RC WRITE 1 MiB, MTU 4096, MB/s",
                medians[WRITE],
                medians[BARE_STREAM], ratio, ratio < LEAST_BANDWIDTH ? "  under " + LEAST_BANDWIDTH : "");
        return good && ratio >= LEAST_BANDWIDTH;
    }

    private static boolean print(String what, double value, double bare, double most) {
        double ratio = value / bare;
        System.out.printf(Locale.ROOT, "%-58s %10.2f %10.2f %6.2f%s%n", what, value, bare, ratio,
                ratio > most ? "  over " + most : "");
        return ratio <= most;
    }

    private static double median(double[] rounds) {
        double[] measured = Arrays.copyOfRange(rounds, WARM_UP, rounds.length);
        Arrays.sort(measured);
        return measured[measured.length / 2];
    }
}
