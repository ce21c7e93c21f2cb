package io.jverbs.samples.perftest;

import io.jverbs.QpType;
import io.jverbs.samples.console.Screen;
import io.jverbs.samples.perftest.run.Baseline;
import io.jverbs.samples.perftest.run.Control;
import io.jverbs.samples.perftest.run.Plot;
import io.jverbs.samples.perftest.run.Round;
import io.jverbs.samples.perftest.run.Round.Kind;
import io.jverbs.samples.perftest.run.Rounds;
import io.jverbs.samples.perftest.run.Settings;
import io.jverbs.samples.perftest.run.Side;
import io.jverbs.samples.perftest.run.Table;
import io.jverbs.samples.perftest.run.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The client, which announces the rounds. */
final class Client {
    /** The line that ends the test. */
    static final String END = "end";

    /** The warm-up of each size but the first is shorter by this factor. */
    private static final int FURTHER_WARM_UPS = 5;
    private static final int FIRST_ITERATIONS = 16;
    private static final int GROWTH = 4;
    private static final Duration CALIBRATION = Duration.ofMillis(50);
    /** The time of one round of a duration: the number of messages is estimated anew for each round. */
    private static final long PART_NANOS = 250_000_000;
    private static final int UNLIMITED = 1 << 30;

    private final Settings settings;
    private final Control control;
    private final Rounds rounds;
    private final Baseline baseline;
    private final Screen screen;
    private final int largest;
    /** The largest number of messages in a round. */
    private final int mostInRound;
    /** Null without option --plot. */
    private final Plot plot;
    private boolean baselineFailed;

    /**
     * Creates the client.
     *
     * @param settings the options
     * @param control the connection to the server
     * @param side a connected side
     * @param screen the destination of the results
     * @param largest the length of the longest message in bytes
     * @param title the title of the test
     * @param device the name of the device
     */
    Client(Settings settings, Control control, Side side, Screen screen, int largest, String title, String device) {
        this.settings = settings;
        this.control = control;
        this.screen = screen;
        this.largest = largest;
        this.rounds = new Rounds(settings, control, side, true, screen);
        this.baseline = Baseline.of(settings, control);
        boolean paced = settings.verb() != Verb.SEND || settings.latency() || settings.connection() == QpType.RC;
        this.mostInRound = paced ? UNLIMITED : side.receives();
        this.plot = settings.plot() == null
                ? null
                : new Plot(settings, title + ", " + settings.connection() + ", " + device,
                        baseline.legend(settings.bidirectional()));
    }

    void run() {
        screen.print(new Table(settings).header());
        Duration warmUp = settings.warmUp();
        for (int size : sizes()) {
            double nanosEach = warmUp(size, warmUp);
            Rounds.Outcome outcome = settings.timed()
                    ? runForDuration(size, nanosEach)
                    : rounds.announce(new Round(size, settings.iterations(), Kind.LAST));
            if (plot != null) {
                plot.add(size, outcome, baseline(size));
            }
            warmUp = settings.warmUp().dividedBy(FURTHER_WARM_UPS);
        }
        control.send(END);
        if (plot != null) {
            plot.save();
        }
    }

    /** Measures the baseline, unless it failed for a smaller size: each failure takes the time of --patience. */
    private double baseline(int size) {
        double measured = baselineFailed ? Double.NaN : baseline.measure(size);
        if (Double.isNaN(measured) && !baselineFailed) {
            baselineFailed = true;
            screen.print("No baseline for " + size + " bytes and more: " + baseline.failureReason());
        }
        return measured;
    }

    private List<Integer> sizes() {
        if (!settings.all()) {
            return List.of(largest);
        }
        List<Integer> sizes = new ArrayList<>();
        for (int size = 2; size <= largest; size *= 2) {
            sizes.add(size);
        }
        return sizes;
    }

    /**
     * Sends messages for a time, so that the timed code is compiled by the JIT compiler; returns the time of one
     * message in the round with the most messages.
     */
    private double warmUp(int size, Duration time) {
        Duration least = settings.timed() && time.compareTo(CALIBRATION) < 0 ? CALIBRATION : time;
        long end = System.nanoTime() + least.toNanos();
        int iterations = FIRST_ITERATIONS;
        int most = 0;
        double nanosEach = 0;
        for (long left = least.toNanos(); left > 0; left = end - System.nanoTime()) {
            int count = iterations(iterations);
            double each = nanosEach(rounds.announce(new Round(size, count, Kind.WARM_UP)), count);
            if (count >= most) {
                most = count;
                nanosEach = each;
            }
            iterations = (int) Math.min((long) iterations * GROWTH, 1 + (long) (left / each));
        }
        return nanosEach;
    }

    /** Sends messages for the requested duration; each round determines the number of messages of the next one. */
    private Rounds.Outcome runForDuration(int size, double guess) {
        long end = System.nanoTime() + Duration.ofSeconds(settings.seconds()).toNanos();
        double nanosEach = guess;
        while (true) {
            long left = end - System.nanoTime();
            double wanted = Math.min(left, PART_NANOS) / nanosEach;
            boolean last = left <= PART_NANOS && wanted <= mostInRound;
            int count = iterations(wanted);
            Rounds.Outcome outcome = rounds.announce(new Round(size, count, last ? Kind.LAST : Kind.PART));
            if (last) {
                return outcome;
            }
            nanosEach = nanosEach(outcome, count);
        }
    }

    private static double nanosEach(Rounds.Outcome outcome, int count) {
        return Math.max(1, (double) outcome.nanos() / count);
    }

    /**
     * {@return the number of messages in a round} It is a multiple of the list length. Where a message without a
     * receive is lost, it is at most the number of receives that are posted at the beginning of the round.
     */
    private int iterations(double wanted) {
        int list = settings.postList();
        int count = (int) Math.clamp(wanted, PerftestCommand.LEAST_ITERATIONS,
                Math.max(mostInRound, PerftestCommand.LEAST_ITERATIONS));
        int lists = (count + list - 1) / list;
        return (lists > 1 && lists * list > mostInRound ? lists - 1 : lists) * list;
    }
}
