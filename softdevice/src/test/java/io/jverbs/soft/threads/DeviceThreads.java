package io.jverbs.soft.threads;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Finds the threads of devices by their names, as any program can. */
final class DeviceThreads {
    private static final long DEADLINE_NANOS = Duration.ofSeconds(30).toNanos();
    private static final long IDLE_MILLIS = 1_000;
    /** A thread that spins uses 1 s of CPU time in {@link #IDLE_MILLIS}, or half of that on a busy machine. */
    private static final long MAX_IDLE_CPU_NANOS = 100_000_000;

    private DeviceThreads() {}

    /** Returns all threads of a name; fails if there is none. */
    static List<Thread> named(String name) {
        List<Thread> found = Thread.getAllStackTraces().keySet().stream().filter(each -> each.getName().equals(name))
                .toList();
        assertFalse(found.isEmpty(), () -> "no thread is named " + name);
        return found;
    }

    static void interrupt(String name) {
        named(name).forEach(Thread::interrupt);
    }

    /** Asserts that the threads of a name are alive and use at most 100 ms of CPU time in one second. */
    static void assertIdle(String name) throws InterruptedException {
        List<Thread> all = named(name);
        long before = cpuNanos(all);
        Thread.sleep(IDLE_MILLIS);
        long cost = cpuNanos(all) - before;
        assertTrue(cost <= MAX_IDLE_CPU_NANOS,
                () -> name + " used " + cost / 1_000_000 + " ms of CPU time in " + IDLE_MILLIS + " ms without traffic");
        all.forEach(each -> assertTrue(each.isAlive(), each::getName));
    }

    private static long cpuNanos(List<Thread> all) {
        ThreadMXBean bean = ManagementFactory.getThreadMXBean();
        return all.stream().mapToLong(each -> Math.max(0, bean.getThreadCpuTime(each.threadId()))).sum();
    }

    static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + DEADLINE_NANOS;
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - deadline < 0, () -> what + " was expected within 30 s");
            Thread.onSpinWait();
        }
    }
}
