package io.jverbs.soft.fuzz;

import io.jverbs.soft.transport.Timers;
import java.util.ArrayList;
import java.util.List;

/** A clock that goes on when told. */
final class VirtualTimers implements Timers {
    /** Alarms that sound in one step: each may set another. */
    private static final int MOST = 1000;

    private record Pending(long at, Runnable action) {}

    private final List<Pending> alarms = new ArrayList<>();
    private long now;

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public Alarm set(long delayNanos, Runnable action) {
        Pending pending = new Pending(now + delayNanos, action);
        alarms.add(pending);
        return () -> alarms.remove(pending);
    }

    int pending() {
        return alarms.size();
    }

    /** Lets time pass, and sounds what is due in its order. */
    void advance(long nanos) {
        long end = now + nanos;
        for (int i = 0; i < MOST; i++) {
            Pending first = null;
            for (Pending each : alarms) {
                if (each.at - end <= 0 && (first == null || each.at - first.at < 0)) {
                    first = each;
                }
            }
            if (first == null) {
                break;
            }
            alarms.remove(first);
            now = Math.max(now, first.at);
            first.action.run();
        }
        now = end;
    }
}
