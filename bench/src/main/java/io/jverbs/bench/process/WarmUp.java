package io.jverbs.bench.process;

import java.io.IOException;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/**
 * Performs operations that are not measured until the JIT compilers of both sides have been idle for 300 ms, for at
 * most eight seconds. The time of JIT compilation depends on the machine; operations before its end would measure the
 * interpreter.
 */
public final class WarmUp {
    private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(8);
    private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    /** An operation takes longer than this if the other process waits for its JIT compiler. */
    private static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
    private long compiled;

    private WarmUp() {}

    /**
     * Performs operations of a workload until they are probably compiled.
     *
     * @param workload the side that measures
     * @throws IOException if a socket fails
     */
    public static void of(Workload workload) throws IOException {
        workload.fill();
        new WarmUp().run(workload);
        workload.drain();
    }

    private void run(Workload workload) throws IOException {
        long start = System.nanoTime();
        long lastCompilation = start;
        long lastCheck = start;
        long last = start;
        while (last - lastCompilation < QUIET_NANOS && last - start < MAX_NANOS) {
            workload.warmUp();
            long now = System.nanoTime();
            boolean compiling = now - last > STALL_NANOS;
            if (now - lastCheck > CHECK_NANOS) {
                lastCheck = now;
                compiling |= hasCompiled();
            }
            if (compiling) {
                lastCompilation = now;
            }
            last = now;
        }
    }

    /** {@return whether this process has compiled since the last call} */
    private boolean hasCompiled() {
        if (compiler == null || !compiler.isCompilationTimeMonitoringSupported()) {
            return false;
        }
        long before = compiled;
        compiled = compiler.getTotalCompilationTime();
        return compiled != before;
    }
}
