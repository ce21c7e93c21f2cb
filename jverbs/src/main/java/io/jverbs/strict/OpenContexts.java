package io.jverbs.strict;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The open contexts with strict mode. A shutdown hook reports those that are never closed. Thread-safe. */
final class OpenContexts {
    /** How long the hook waits for other shutdown hooks to close their contexts. */
    private static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long POLL_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final Set<StrictContext> OPEN = ConcurrentHashMap.newKeySet();

    static {
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(OpenContexts::report, "jverbs-strict-mode"));
        } catch (IllegalStateException e) {
            // the JVM is shutting down
        }
    }

    private OpenContexts() {}

    static void add(StrictContext context) {
        try {
            OPEN.add(context);
        } catch (Error e) {
            OPEN.remove(context);
            throw e;
        }
    }

    static void remove(StrictContext context) {
        OPEN.remove(context);
    }

    /** The open contexts of one strict mode, in the order in which they were opened. */
    static List<StrictContext> of(StrictMode mode) {
        List<StrictContext> all = new ArrayList<>(OPEN);
        all.removeIf(context -> context.mode() != mode);
        all.sort(Comparator.comparingLong(StrictContext::number));
        return all;
    }

    private static void report() {
        long start = System.nanoTime();
        while (!OPEN.isEmpty() && System.nanoTime() - start < MAX_WAIT_NANOS) {
            LockSupport.parkNanos(POLL_INTERVAL_NANOS);
        }
        OPEN.forEach(StrictContext::reportNeverClosed);
    }
}
