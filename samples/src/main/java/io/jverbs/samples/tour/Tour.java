package io.jverbs.samples.tour;

import io.jverbs.RdmaDevice;
import io.jverbs.VerbsException;
import io.jverbs.samples.Screen;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Goes from stop to stop, prints a line for each, and sums up. */
final class Tour {
    private static final long PROGRESS_NANOS = 100_000_000;
    private static final double PERCENT = 100;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double BYTES_PER_GB = 1e9;
    /** This part of the time passes before anything is timed. */
    private static final int WARM_UP_PART = 4;

    private final RdmaDevice device;
    private final Screen screen;
    private final PrintWriter err;
    private final Timing timing = new Timing(this::showProgress);
    private final long begin = System.nanoTime();
    private final long end;
    private long lastProgress = begin;
    private Stop current;

    private record Visit(Stop stop, Outcome outcome) {}

    Tour(RdmaDevice device, Screen screen, PrintWriter err, Duration time) {
        this.device = device;
        this.screen = screen;
        this.err = err;
        this.end = begin + time.toNanos();
    }

    /** Visits the stops that suit the device; returns whether all was as it should be. */
    boolean visitAll() {
        try (Sides sides = Sides.open(device)) {
            return visit(sides, Itinerary.of(sides.largestMessage(), sides.largestDatagram()));
        }
    }

    /** Visits stops; returns whether all was as it should be. */
    boolean visit(Sides sides, List<Stop> stops) {
        screen.print(Table.header());
        // Once round with nothing shown: what is compiled meanwhile would stand in the way of the first lines.
        List<Visit> warmUps = new ArrayList<>();
        for (Stop stop : stops) {
            Duration time = share(begin + (end - begin) / WARM_UP_PART, stops.size() - warmUps.size());
            warmUps.add(new Visit(stop, measure(stop, sides, time)));
        }
        List<Visit> visits = new ArrayList<>();
        for (Visit warmUp : warmUps) {
            Visit visit = again(warmUp, sides, share(end, stops.size() - visits.size()));
            visits.add(visit);
            screen.print(Table.row(visit.stop, visit.outcome));
        }
        visits.forEach(this::complain);
        screen.print(summary(visits));
        return count(visits, Outcome.Wrong.class) == 0;
    }

    private Outcome measure(Stop stop, Sides sides, Duration time) {
        current = stop;
        return timing.measure(stop, sides, time);
    }

    /** What went wrong once is not tried again. */
    private Visit again(Visit before, Sides sides, Duration time) {
        if (!(before.outcome instanceof Outcome.Done warmUp)) {
            return before;
        }
        Outcome outcome = measure(before.stop, sides, time);
        return new Visit(before.stop, outcome instanceof Outcome.Done done ? done.after(warmUp) : outcome);
    }

    /** What one of the stops that are left gets of the time that is left. */
    private static Duration share(long until, int stopsLeft) {
        return Duration.ofNanos(Math.max(0, until - System.nanoTime()) / stopsLeft);
    }

    private void showProgress() {
        long now = System.nanoTime();
        if (now - lastProgress > PROGRESS_NANOS) {
            lastProgress = now;
            double done = Math.min(1, (double) (now - begin) / Math.max(1, end - begin));
            screen.progress(String.format(Locale.ROOT, "%3.0f %%  %s", done * PERCENT, current));
        }
    }

    private void complain(Visit visit) {
        if (visit.outcome instanceof Outcome.Wrong wrong) {
            RuntimeException cause = wrong.cause();
            boolean plain = cause instanceof Mismatch || cause instanceof VerbsException;
            err.println(visit.stop + ": " + (plain ? cause.getMessage() : cause));
        }
    }

    private String summary(List<Visit> visits) {
        long wrong = count(visits, Outcome.Wrong.class);
        if (wrong > 0) {
            return device + ": " + wrong + " of " + visits.size()
                    + " operations went wrong, as told on standard error.";
        }
        long skipped = count(visits, Outcome.Skipped.class);
        long payloads = 0;
        long spoilt = 0;
        double bytes = 0;
        for (Visit visit : visits) {
            if (visit.outcome instanceof Outcome.Done done) {
                payloads += done.checked();
                spoilt += done.spoilt();
                bytes += (double) done.checked() * visit.stop.size();
            }
        }
        return String.format(Locale.ROOT,
                "%s: %d operations as they should be%s%s; %,d payloads, %.1f GB, checked byte by byte in %.1f s.",
                device,
                visits.size() - skipped, skipped == 0 ? "" : ", " + skipped + " not offered",
                spoilt == 0 ? "" : String.format(Locale.ROOT, ", %,d iterations spoilt by the network", spoilt),
                payloads,
                bytes / BYTES_PER_GB, (System.nanoTime() - begin) / NANOS_PER_SECOND);
    }

    private static long count(List<Visit> visits, Class<? extends Outcome> kind) {
        return visits.stream().map(Visit::outcome).filter(kind::isInstance).count();
    }
}
