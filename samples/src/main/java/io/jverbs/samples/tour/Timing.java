package io.jverbs.samples.tour;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import io.jverbs.samples.tour.operation.Mismatch;
import io.jverbs.samples.tour.operation.NetworkFaults;
import io.jverbs.samples.tour.operation.NotSupported;
import io.jverbs.samples.tour.operation.Operation;
import io.jverbs.samples.tour.operation.Sides;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.HdrHistogram.Histogram;

/** Runs the operation of a step repeatedly for a time. Times and checks each iteration. Not thread-safe. */
final class Timing {
    /** The smallest number of iterations, however slow the device is. */
    private static final int MIN_ITERATIONS = 10;
    private static final int SIGNIFICANT_DIGITS = 3;

    private final RandomGenerator seeds = RandomGenerator.getDefault();
    private final Runnable tick;

    /**
     * Creates the timing.
     *
     * @param tick called after each iteration, for the progress display
     */
    Timing(Runnable tick) {
        this.tick = tick;
    }

    Outcome measure(Step step, Sides sides, Duration time) {
        try {
            Run run = new Run(step, sides, time);
            while (!run.isEnough()) {
                // a fault ends the operation with its objects, and another one is created
                run.repeat();
            }
            return new Outcome.Done(run.latency, run.nanos, run.latency.getTotalCount(), run.lost);
        } catch (NotSupported e) {
            return new Outcome.Skipped(e.getMessage());
        } catch (VerbsException e) {
            boolean unsupported = e.error() == Errno.EOPNOTSUPP || e.error() == Errno.ENOSYS;
            return unsupported ? new Outcome.Skipped(e.getMessage()) : new Outcome.Failed(e);
        } catch (RuntimeException e) {
            return new Outcome.Failed(e);
        }
    }

    /** The iterations of one step. */
    private final class Run {
        private final Step step;
        private final Sides sides;
        private final Duration time;
        private final Histogram latency = new Histogram(SIGNIFICANT_DIGITS);
        private final long begin = System.nanoTime();
        private long nanos;
        private long lost;

        Run(Step step, Sides sides, Duration time) {
            this.step = step;
            this.sides = sides;
            this.time = time;
        }

        boolean isEnough() {
            return System.nanoTime() - begin >= time.toNanos() && latency.getTotalCount() + lost >= MIN_ITERATIONS;
        }

        /** Runs iterations until there are enough, or until one fails because of a network fault. */
        void repeat() {
            NetworkFaults faults = sides.left().faults();
            faults.begin();
            try (Operation operation = step.factory().apply(sides, step.size())) {
                do {
                    once(operation);
                    tick.run();
                } while (!isEnough());
            } catch (Mismatch e) {
                if (!step.mayFailWithFaults() || !faults.occurred()) {
                    throw e;
                }
                lost++;
                tick.run();
            }
        }

        private void once(Operation operation) {
            operation.prepare(step.size(), seeds.nextLong());
            long start = System.nanoTime();
            operation.run();
            long end = System.nanoTime();
            operation.check();
            latency.recordValue(end - start);
            nanos += end - start;
        }
    }
}
