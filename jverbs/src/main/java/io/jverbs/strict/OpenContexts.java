package io.jverbs.strict;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The contexts in strict mode that are not closed. Those that never are, are reported when the JVM ends. */
final class OpenContexts {
    /** How long other shutdown hooks may take to close theirs. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final Set<StrictContext> OPEN = ConcurrentHashMap.newKeySet();

    static {
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(OpenContexts::report, "jverbs-strict-mode"));
        } catch (IllegalStateException e) {
            // the JVM ends already
        }
    }

    private OpenContexts() {}

    static void add(StrictContext context) {
        OPEN.add(context);
    }

    static void remove(StrictContext context) {
        OPEN.remove(context);
    }

    /** Those of one strict mode, the first that was opened first. */
    static List<StrictContext> of(StrictMode mode) {
        List<StrictContext> all = new ArrayList<>(OPEN);
        all.removeIf(context -> context.mode() != mode);
        all.sort(Comparator.comparingLong(StrictContext::number));
        return all;
    }

    private static void report() {
        long start = System.nanoTime();
        while (!OPEN.isEmpty() && System.nanoTime() - start < PATIENCE_NANOS) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
        OPEN.forEach(StrictContext::reportNeverClosed);
    }
}
