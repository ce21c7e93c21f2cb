package io.jverbs.contract.dsl;

/**
 * Deadlines of tests. A wait ends as soon as its condition holds; the deadline only limits how long a failing test
 * takes.
 */
public final class Waits {

    /**
     * The deadline in milliseconds. The system property shortens it if failures are expected, and lengthens it for slow
     * machines.
     */
    private static final long DEADLINE = Long.getLong("jverbs.contract.deadlineMillis", 10_000);

    /** The deadline of tests that are expected to time out. */
    private static final long SILENCE = Math.min(3_000, DEADLINE);

    private static final ThreadLocal<Boolean> SILENT = ThreadLocal.withInitial(() -> false);

    private Waits() {}

    /** Returns the deadline in milliseconds. */
    public static long deadline() {
        return SILENT.get() ? SILENCE : DEADLINE;
    }

    /** Returns the deadline in nanoseconds. */
    public static long deadlineNanos() {
        return deadline() * 1_000_000;
    }

    /** Shortens the deadline for the current thread, if the device is known to cause a timeout in its test. */
    public static void expectSilence(boolean silent) {
        SILENT.set(silent);
    }
}
