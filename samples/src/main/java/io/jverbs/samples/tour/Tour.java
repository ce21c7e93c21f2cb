package io.jverbs.samples.tour;

import io.jverbs.RdmaDevice;
import io.jverbs.VerbsException;
import io.jverbs.samples.console.Screen;
import io.jverbs.samples.tour.operation.Mismatch;
import io.jverbs.samples.tour.operation.Sides;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Runs the steps, prints a line for each, and a summary. Not thread-safe. */
final class Tour {
    private static final long PROGRESS_NANOS = 100_000_000;
    private static final double PERCENT = 100;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double BYTES_PER_GB = 1e9;
    /** The warm-up takes one part in so many of the time. */
    private static final int WARM_UP_PART = 4;

    private final RdmaDevice device;
    private final Screen screen;
    private final PrintWriter err;
    private final Timing timing = new Timing(this::showProgress);
    private final long begin = System.nanoTime();
    private final long end;
    private long lastProgress = begin;
    private Step current;

    private record Result(Step step, Outcome outcome) {}

    Tour(RdmaDevice device, Screen screen, PrintWriter err, Duration time) {
        this.device = device;
        this.screen = screen;
        this.err = err;
        this.end = begin + time.toNanos();
    }

    /** Runs all steps that fit the device; returns whether none failed. */
    boolean runAll() {
        try (Sides sides = Sides.open(device)) {
            return run(sides, Steps.of(sides.largestMessage(), sides.largestDatagram()));
        }
    }

    /** Runs steps; returns whether none failed. */
    boolean run(Sides sides, List<Step> steps) {
        screen.print(Table.header());
        // A warm-up of all steps without output: JIT compilation would distort the first lines.
        List<Result> warmUps = new ArrayList<>();
        for (Step step : steps) {
            Duration time = share(begin + (end - begin) / WARM_UP_PART, steps.size() - warmUps.size());
            warmUps.add(new Result(step, measure(step, sides, time)));
        }
        List<Result> results = new ArrayList<>();
        for (Result warmUp : warmUps) {
            Result result = repeat(warmUp, sides, share(end, steps.size() - results.size()));
            results.add(result);
            screen.print(Table.row(result.step, result.outcome));
        }
        results.forEach(this::printFailure);
        screen.print(summary(results));
        return count(results, Outcome.Failed.class) == 0;
    }

    private Outcome measure(Step step, Sides sides, Duration time) {
        current = step;
        return timing.measure(step, sides, time);
    }

    /** Runs a step after its warm-up, unless the warm-up failed or was skipped. */
    private Result repeat(Result before, Sides sides, Duration time) {
        if (!(before.outcome instanceof Outcome.Done warmUp)) {
            return before;
        }
        Outcome outcome = measure(before.step, sides, time);
        return new Result(before.step, outcome instanceof Outcome.Done done ? done.after(warmUp) : outcome);
    }

    /** {@return the share of one of the remaining steps in the remaining time} */
    private static Duration share(long until, int stepsLeft) {
        return Duration.ofNanos(Math.max(0, until - System.nanoTime()) / stepsLeft);
    }

    private void showProgress() {
        long now = System.nanoTime();
        if (now - lastProgress > PROGRESS_NANOS) {
            lastProgress = now;
            double done = Math.min(1, (double) (now - begin) / Math.max(1, end - begin));
            screen.progress(String.format(Locale.ROOT, "%3.0f %%  %s", done * PERCENT, current));
        }
    }

    private void printFailure(Result result) {
        if (result.outcome instanceof Outcome.Failed failed) {
            RuntimeException cause = failed.cause();
            boolean plain = cause instanceof Mismatch || cause instanceof VerbsException;
            err.println(result.step + ": " + (plain ? cause.getMessage() : cause));
        }
    }

    private String summary(List<Result> results) {
        long failed = count(results, Outcome.Failed.class);
        if (failed > 0) {
            return device + ": " + failed + " of " + results.size() + " operations failed: see standard error.";
        }
        long skipped = count(results, Outcome.Skipped.class);
        long payloads = 0;
        long lost = 0;
        double bytes = 0;
        for (Result result : results) {
            if (result.outcome instanceof Outcome.Done done) {
                payloads += done.checked();
                lost += done.lost();
                bytes += (double) done.checked() * result.step.size();
            }
        }
        return String.format(Locale.ROOT,
                "%s: %d operations passed%s%s; %,d payloads, %.1f GB, checked byte by byte in %.1f s.", device,
                results.size() - skipped, skipped == 0 ? "" : ", " + skipped + " not supported",
                lost == 0 ? "" : String.format(Locale.ROOT, ", %,d iterations lost to network faults", lost), payloads,
                bytes / BYTES_PER_GB, (System.nanoTime() - begin) / NANOS_PER_SECOND);
    }

    private static long count(List<Result> results, Class<? extends Outcome> kind) {
        return results.stream().map(Result::outcome).filter(kind::isInstance).count();
    }
}
