package io.jverbs.samples.tour;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.HdrHistogram.Histogram;

/** Does a stop's operation again and again for a while: times each, checks each. */
final class Timing {
    /** However slow the device is, so many are timed. */
    private static final int LEAST = 10;
    private static final int SIGNIFICANT_DIGITS = 3;

    private final RandomGenerator seeds = RandomGenerator.getDefault();
    private final Runnable tick;

    /**
     * @param tick called now and then, for whoever wants to show progress
     */
    Timing(Runnable tick) {
        this.tick = tick;
    }

    Outcome measure(Stop stop, Sides sides, Duration time) {
        try {
            Run run = new Run(stop, sides, time);
            while (!run.isEnough()) {
                // what a fault leaves behind goes with the operation
                run.repeat();
            }
            return new Outcome.Done(run.latency, run.nanos, run.latency.getTotalCount(), run.spoilt);
        } catch (NotOffered e) {
            return new Outcome.Skipped(e.getMessage());
        } catch (VerbsException e) {
            boolean lacking = e.error() == Errno.EOPNOTSUPP || e.error() == Errno.ENOSYS;
            return lacking ? new Outcome.Skipped(e.getMessage()) : new Outcome.Wrong(e);
        } catch (RuntimeException e) {
            return new Outcome.Wrong(e);
        }
    }

    /** One stop's iterations. */
    private final class Run {
        private final Stop stop;
        private final Sides sides;
        private final Duration time;
        private final Histogram latency = new Histogram(SIGNIFICANT_DIGITS);
        private final long begin = System.nanoTime();
        private long nanos;
        private long spoilt;

        Run(Stop stop, Sides sides, Duration time) {
            this.stop = stop;
            this.sides = sides;
            this.time = time;
        }

        boolean isEnough() {
            return System.nanoTime() - begin >= time.toNanos() && latency.getTotalCount() + spoilt >= LEAST;
        }

        /** Until it is enough, or the network has spoilt one. */
        void repeat() {
            NetworkFaults faults = sides.left().faults();
            faults.begin();
            try (Operation operation = stop.factory().apply(sides, stop.size())) {
                do {
                    once(operation);
                    tick.run();
                } while (!isEnough());
            } catch (Mismatch e) {
                if (!stop.isFragile() || !faults.happened()) {
                    throw e;
                }
                spoilt++;
                tick.run();
            }
        }

        private void once(Operation operation) {
            operation.prepare(stop.size(), seeds.nextLong());
            long start = System.nanoTime();
            operation.run();
            long end = System.nanoTime();
            operation.check();
            latency.recordValue(end - start);
            nanos += end - start;
        }
    }
}
