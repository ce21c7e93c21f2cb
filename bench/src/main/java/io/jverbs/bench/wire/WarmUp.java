package io.jverbs.bench.wire;

import java.io.IOException;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/**
 * Operations that are not measured, until the compilers of both processes have had nothing to do for a while, or for eight seconds:
 * how long that takes depends on the machine, and what is measured before tells of the interpreter.
 */
final class WarmUp {
    private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(8);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    /** The other process takes so long when it waits for its compiler. */
    private static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
    private long compiled;

    private WarmUp() {}

    /** Does operations of a contest until they are likely to be compiled. */
    static void of(Contest contest) throws IOException {
        contest.fill();
        new WarmUp().run(contest);
        contest.drain();
    }

    private void run(Contest contest) throws IOException {
        long began = System.nanoTime();
        long stirred = began;
        long looked = began;
        long last = began;
        while (last - stirred < QUIET_NANOS && last - began < MOST_NANOS) {
            contest.once();
            long now = System.nanoTime();
            boolean stalled = now - last > STALL_NANOS;
            if (now - looked > LOOK_NANOS) {
                looked = now;
                stalled |= hasCompiled();
            }
            if (stalled) {
                stirred = now;
            }
            last = now;
        }
    }

    /** Whether this process has compiled since it was asked last. */
    private boolean hasCompiled() {
        if (compiler == null || !compiler.isCompilationTimeMonitoringSupported()) {
            return false;
        }
        long before = compiled;
        compiled = compiler.getTotalCompilationTime();
        return compiled != before;
    }
}
