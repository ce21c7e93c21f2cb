package io.jverbs.contract.dsl;

/** How long tests wait for what must happen. A wait ends as soon as its condition holds; this bounds a failure. */
public final class Waits {

    /** In milliseconds. The system property shortens it where failures are expected, and lengthens it for slow machines. */
    private static final long DEADLINE = Long.getLong("jverbs.contract.deadlineMillis", 10_000);

    /** Enough to see that nothing comes where nothing is expected to. */
    private static final long SILENCE = Math.min(3_000, DEADLINE);

    private static final ThreadLocal<Boolean> SILENT = ThreadLocal.withInitial(() -> false);

    private Waits() {}

    /** The deadline in milliseconds. */
    public static long deadline() {
        return SILENT.get() ? SILENCE : DEADLINE;
    }

    /** The deadline in nanoseconds. */
    public static long deadlineNanos() {
        return deadline() * 1_000_000;
    }

    /** Has the present thread wait less long: the device is known to be silent in its test. */
    public static void expectSilence(boolean silent) {
        SILENT.set(silent);
    }
}
