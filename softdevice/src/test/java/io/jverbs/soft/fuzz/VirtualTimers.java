package io.jverbs.soft.fuzz;

import io.jverbs.soft.protocol.Timers;
import java.util.ArrayList;
import java.util.List;

/** Timers with a virtual clock, which advances only when {@link #advance} is called. Not thread-safe. */
public final class VirtualTimers implements Timers {
    /** The maximum number of timers that expire in one step, because each may set another. */
    private static final int MAX_EXPIRIES = 1000;

    private record Pending(long at, Runnable action) {}

    private final List<Pending> timers = new ArrayList<>();
    private long now;
    private int expiries;

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public Alarm set(long delayNanos, Runnable action) {
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
            first.action.run();
        }
        now = end;
    }
}
