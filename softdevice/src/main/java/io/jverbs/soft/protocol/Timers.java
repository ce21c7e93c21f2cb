package io.jverbs.soft.protocol;

/** The clock and the timers of the state machines, in real time or in the time of a simulation. Thread-safe. */
public interface Timers {

    /** A timer that calls an action once after a delay, from any thread, with no lock held. */
    interface Alarm {
        /** Cancels the alarm. Its action may be running already. */
        void cancel();
    }

    /** {@return the time in nanoseconds since an arbitrary origin, as {@link System#nanoTime}} */
    default long nanoTime() {
        return System.nanoTime();
    }

    /**
     * {@return the number to add to {@link #nanoTime} to get the nanoseconds since 1970} A clock that is not based on
     * {@link System#nanoTime} starts in 1970.
     *
     * @param system the number to add to {@link System#nanoTime} to get the nanoseconds since 1970
     */
    default long epoch(long system) {
        return system;
    }

    /**
     * Sets an alarm.
     *
     * @param delayNanos the delay in nanoseconds
     * @param action the action to call
     * @return the alarm
     */
    Alarm set(long delayNanos, Runnable action);

    /** Converts the timer codes of the protocol to nanoseconds. */
    final class Codes {
        private static final long[] RNR_MICROS = {655_360, 10, 20, 30, 40, 60, 80, 120, 160, 240, 320, 480, 640, 960,
            1_280, 1_920, 2_560, 3_840, 5_120, 7_680, 10_240, 15_360, 20_480, 30_720, 40_960, 61_440, 81_920, 122_880,
            163_840, 245_760, 327_680, 491_520};
        private static final long ACK_UNIT_NANOS = 4_096;

        private Codes() {}

        /** The time to wait after an RNR NAK, from a 5-bit code. */
        public static long rnrNanos(int code) {
            return RNR_MICROS[code & 31] * 1_000;
        }

        /** The ACK timeout, from a 5-bit code; the code is not 0, which means infinite. */
        public static long ackNanos(int code) {
            return ACK_UNIT_NANOS << (code & 31);
        }
    }
}
