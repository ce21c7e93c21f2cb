package io.jverbs.samples.perftest;

import io.jverbs.samples.Screen;
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

    private final Settings settings;
    private final Control control;
    private final Rounds rounds;
    private final Baseline baseline;
    private final Screen screen;
    private final int largest;
    private final Plot plot;

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
        this.plot = settings.plot() == null
                ? null
                : new Plot(settings, title + ", " + settings.connection() + ", " + device,
                        "baseline, " + baseline.name());
    }

    void run() {
        screen.print(new Table(settings).header());
        Duration warmUp = settings.warmUp();
        for (int size : sizes()) {
            double nanosEach = warmUp(size, warmUp);
            Rounds.Outcome outcome = rounds.announce(new Round(size, iterations(nanosEach), true));
            if (plot != null) {
                plot.add(size, outcome, baseline.measure(size));
            }
            warmUp = settings.warmUp().dividedBy(FURTHER_WARM_UPS);
        }
        control.send(END);
        if (plot != null) {
            plot.save();
        }
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

    /** Sends for a while, so that what is timed is compiled code; returns how long one message took at the end */
    private double warmUp(int size, Duration time) {
        Duration least = settings.timed() && time.compareTo(CALIBRATION) < 0 ? CALIBRATION : time;
        long left = least.toNanos();
        int iterations = FIRST_ITERATIONS;
        double nanosEach = 0;
        while (left > 0) {
            int count = wholeLists(iterations);
            long nanos = rounds.announce(new Round(size, count, false)).nanos();
            nanosEach = (double) nanos / count;
            left -= nanos;
            iterations = (int) Math.min((long) iterations * GROWTH, 1 + (long) (left / nanosEach));
        }
        return nanosEach;
    }

    private int iterations(double nanosEach) {
        if (!settings.timed()) {
            return settings.iterations();
        }
        double count = Duration.ofSeconds(settings.seconds()).toNanos() / nanosEach;
        return wholeLists((int) Math.min(count, Integer.MAX_VALUE - settings.postList()));
    }

    private int wholeLists(int count) {
        int list = settings.postList();
        return (Math.max(PerftestCommand.LEAST_ITERATIONS, count) + list - 1) / list * list;
    }
}
