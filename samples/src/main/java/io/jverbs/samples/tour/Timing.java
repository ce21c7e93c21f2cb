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
        try (Operation operation = stop.factory().apply(sides, stop.size())) {
            Histogram latency = new Histogram(SIGNIFICANT_DIGITS);
            long nanos = repeat(operation, stop.size(), time, latency);
            return new Outcome.Done(latency, nanos, latency.getTotalCount());
        } catch (NotOffered e) {
            return new Outcome.Skipped(e.getMessage());
        } catch (VerbsException e) {
            boolean lacking = e.error() == Errno.EOPNOTSUPP || e.error() == Errno.ENOSYS;
            return lacking ? new Outcome.Skipped(e.getMessage()) : new Outcome.Wrong(e);
        } catch (RuntimeException e) {
            return new Outcome.Wrong(e);
        }
    }

    private long repeat(Operation operation, int size, Duration time, Histogram latency) {
        long begin = System.nanoTime();
        long sum = 0;
        long end;
        do {
            operation.prepare(size, seeds.nextLong());
            long start = System.nanoTime();
            operation.run();
            end = System.nanoTime();
            operation.check();
            latency.recordValue(end - start);
            sum += end - start;
            tick.run();
        } while (end - begin < time.toNanos() || latency.getTotalCount() < LEAST);
        return sum;
    }
}
