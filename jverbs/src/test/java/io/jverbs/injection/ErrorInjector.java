package io.jverbs.injection;

import java.util.BitSet;

/**
 * Throws an Error once at one injection point, or at two of them, one after the other, or records which points are
 * reached. Instrumented code calls {@link #at} before each point. This class is loaded once, by the parent of the class
 * loaders of the instrumented classes. Thread-safe.
 */
public final class ErrorInjector {
    private static final int NONE = -1;
    private static volatile int armed = NONE;
    /** The point that is armed after an Error was thrown. Guarded by the monitor of the class. */
    private static int following = NONE;
    private static volatile boolean recording;
    private static final BitSet REACHED = new BitSet();

    /** The Error that is thrown. */
    public static final class InjectedError extends Error {
        private static final long serialVersionUID = 1L;

        InjectedError(int point) {
            super("injected at point " + point);
        }
    }

    private ErrorInjector() {}

    /** Called by instrumented code before an injection point. */
    public static void at(int point) {
        if (point == armed && fire(point)) {
            throw new InjectedError(point);
        }
        if (recording) {
            synchronized (REACHED) {
                REACHED.set(point);
            }
        }
    }

    private static synchronized boolean fire(int point) {
        boolean first = armed == point;
        if (first) {
            armed = following;
            following = NONE;
        }
        return first;
    }

    /**
     * Begins a round: makes the next thread that reaches a point throw there, or records which points are reached, if
     * the number is negative.
     */
    public static void begin(int point) {
        if (point < 0) {
            record();
        } else {
            armed = point;
        }
    }

    /** Makes the next thread that reaches a point after the next Error was thrown also throw there. */
    static synchronized void armAfterError(int point) {
        following = point;
    }

    /**
     * Ends a round: nothing more is recorded or thrown. A point that only another thread reaches may not have been
     * reached.
     */
    public static synchronized void end() {
        recording = false;
        armed = NONE;
        following = NONE;
    }

    /** Records from now on which points are reached, until the round ends. */
    static void record() {
        recording = true;
    }

    /** Returns the recorded points, and clears the record. */
    static BitSet takeReached() {
        synchronized (REACHED) {
            BitSet taken = (BitSet) REACHED.clone();
            REACHED.clear();
            return taken;
        }
    }
}
