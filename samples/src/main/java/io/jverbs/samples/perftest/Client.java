package io.jverbs.samples.perftest;

import io.jverbs.QpType;
import io.jverbs.samples.Screen;
import io.jverbs.samples.perftest.Round.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The side that says what comes next. */
final class Client {
    static final String ROUND = "round";
    static final String BASELINE = "baseline";
    static final String END = "end";

    /** How much shorter the warm-up of a size is that is not the first. */
    private static final int FURTHER_WARM_UPS = 5;
    private static final int FIRST_ITERATIONS = 16;
    private static final int GROWTH = 4;
    private static final Duration CALIBRATION = Duration.ofMillis(50);
    /** Into such rounds a duration is divided, as how long messages take is never known beforehand. */
    private static final long PART_NANOS = 250_000_000;
    private static final int MOST_AT_ONCE = 1 << 30;

    private final Settings settings;
    private final Control control;
    private final Rounds rounds;
    private final Baseline baseline;
    private final Screen screen;
    private final int largest;
    private final int atOnce;
    private final Plot plot;
    private boolean baselineLost;

    /**
     * @param settings the options
     * @param control the connection to the server
     * @param side a connected side
     * @param screen where results are shown
     * @param largest the length of the longest message in bytes
     * @param title what the test is called
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
        this.atOnce = paced ? MOST_AT_ONCE : side.receives();
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
                    ? play(size, nanosEach)
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

    /** Measures the baseline, unless nothing came of that of a smaller size: that takes all the patience there is. */
    private double baseline(int size) {
        double measured = baselineLost ? Double.NaN : baseline.measure(size);
        if (Double.isNaN(measured) && !baselineLost) {
            baselineLost = true;
            screen.print("No baseline from " + size + " bytes on: " + baseline.lost());
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

    /** Sends for a while, so that what is timed is compiled code; returns how long one message took in the longest round. */
    private double warmUp(int size, Duration time) {
        Duration least = settings.timed() && time.compareTo(CALIBRATION) < 0 ? CALIBRATION : time;
        long end = System.nanoTime() + least.toNanos();
        int iterations = FIRST_ITERATIONS;
        int most = 0;
        double nanosEach = 0;
        for (long left = least.toNanos(); left > 0; left = end - System.nanoTime()) {
            int count = number(iterations);
            double each = nanosEach(rounds.announce(new Round(size, count, Kind.WARM_UP)), count);
            if (count >= most) {
                most = count;
                nanosEach = each;
            }
            iterations = (int) Math.min((long) iterations * GROWTH, 1 + (long) (left / each));
        }
        return nanosEach;
    }

    /** Sends for the time that is asked for; each round tells how many messages the next one has. */
    private Rounds.Outcome play(int size, double guess) {
        long end = System.nanoTime() + Duration.ofSeconds(settings.seconds()).toNanos();
        double nanosEach = guess;
        while (true) {
            long left = end - System.nanoTime();
            double wanted = Math.min(left, PART_NANOS) / nanosEach;
            boolean last = left <= PART_NANOS && wanted <= atOnce;
            int count = number(wanted);
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
     * How many messages a round has: whole lists, and, where a message that finds no receive is lost, no more than there are receives
     * when the round begins.
     */
    private int number(double wanted) {
        int list = settings.postList();
        int count = (int) Math.clamp(wanted, PerftestCommand.LEAST_ITERATIONS,
                Math.max(atOnce, PerftestCommand.LEAST_ITERATIONS));
        int lists = (count + list - 1) / list;
        return (lists > 1 && lists * list > atOnce ? lists - 1 : lists) * list;
    }
}
