package io.jverbs.soft.fuzz;

import io.jverbs.soft.protocol.Timers;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/** Timers with a virtual clock, which advances only when {@link #advance} is called. Not thread-safe. */
public final class VirtualTimers implements Timers {
    /** The maximum number of timers that expire in one step, because each may set another. */
    private static final int MAX_EXPIRIES = 1000;

    private record Pending(long at, Runnable action) {}

    private final List<Pending> timers = new ArrayList<>();
    private long now;
    private int expiries;
    /** The number of readings of the clock until one fails, that one included; 0 if none fails. */
    private int untilFailure;
    /** The number of timers set since {@link #failSets}, and which of them cannot be set. */
    private int sets;
    private IntPredicate failingSets = number -> false;

    @Override
    public long nanoTime() {
        if (untilFailure > 0 && --untilFailure == 0) {
            throw new UnknownError("thrown by a test");
        }
        return now;
    }

    /**
     * Lets a reading of the clock fail with an UnknownError. The action of a timer that fails because of that is run
     * once more, as timers of real time do.
     *
     * @param number the number of the reading, counted from now; 0 to let none fail
     */
    public void failReading(int number) {
        untilFailure = number;
    }

    /** {@return whether the reading of the clock that was to fail has not happened} */
    public boolean willFail() {
        return untilFailure > 0;
    }

    /**
     * Lets timers fail to be set, with an UnknownError.
     *
     * @param which whether a timer fails, by its number, which is 1 for the next one
     */
    public void failSets(IntPredicate which) {
        sets = 0;
        failingSets = which;
    }

    @Override
    public Alarm set(long delayNanos, Runnable action) {
        if (failingSets.test(++sets)) {
            throw new UnknownError("thrown by a test");
        }
        Pending pending = new Pending(now + delayNanos, action);
        timers.add(pending);
        return () -> timers.remove(pending);
    }

    /** {@return the number of timers that are set} */
    public int pending() {
        return timers.size();
    }

    /** {@return how many timers have expired} */
    public int expiries() {
        return expiries;
    }

    /** Advances the clock and runs the timers that expire, in the order of their times. */
    public void advance(long nanos) {
        long end = now + nanos;
        for (int i = 0; i < MAX_EXPIRIES; i++) {
            Pending first = null;
            for (Pending each : timers) {
                if (each.at - end <= 0 && (first == null || each.at - first.at < 0)) {
                    first = each;
                }
            }
            if (first == null) {
                break;
            }
            timers.remove(first);
            expiries++;
            // the time may overflow
            now = first.at - now > 0 ? first.at : now;
            run(first.action);
        }
        now = end;
    }

    private static void run(Runnable action) {
        try {
            action.run();
        } catch (UnknownError e) {
            action.run();
        }
    }
}
