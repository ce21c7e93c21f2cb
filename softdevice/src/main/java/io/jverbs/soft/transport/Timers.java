package io.jverbs.soft.transport;

/** The clock and the alarm of the state machines: real time, or that of a simulation. */
public interface Timers {

    /** Calls once after a delay, from any thread, with no lock held. */
    interface Alarm {
        /** Gives the alarm up; it may be sounding already. */
        void cancel();
    }

    /** {@return the time in nanoseconds since some moment, as {@link System#nanoTime}} */
    default long nanoTime() {
        return System.nanoTime();
    }

    /**
     * {@return what {@link #nanoTime} lacks to the nanoseconds since 1970}
     *
     * @param system what {@link System#nanoTime} lacks to them; a clock that does not go as that one begins in 1970
     */
    default long epoch(long system) {
        return system;
    }

    /**
     * Sets an alarm.
     *
     * @param delayNanos how long from now
     * @param action what to do
     * @return the alarm
     */
    Alarm set(long delayNanos, Runnable action);

    /** What each timer field of the protocol means in nanoseconds. */
    final class Codes {
        private static final long[] RNR_MICROS = {655_360, 10, 20, 30, 40, 60, 80, 120, 160, 240, 320, 480, 640, 960,
            1_280, 1_920,
            2_560, 3_840, 5_120, 7_680, 10_240, 15_360, 20_480, 30_720, 40_960, 61_440, 81_920, 122_880, 163_840,
            245_760,
            327_680, 491_520};
        private static final long ACK_UNIT_NANOS = 4_096;

        private Codes() {}

        /** How long to wait after an RNR NAK; 5 bits. */
        static long rnrNanos(int code) {
            return RNR_MICROS[code & 31] * 1_000;
        }

        /** How long to wait for an ACK; 5 bits, 0 is for ever and not asked here. */
        static long ackNanos(int code) {
            return ACK_UNIT_NANOS << (code & 31);
        }
    }
}
