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

    /** Makes the next thread that reaches a point throw there. */
    public static void arm(int point) {
        armed = point;
    }

    /** Makes the next thread that reaches a point after the next Error was thrown also throw there. */
    public static synchronized void armAfterError(int point) {
        following = point;
    }

    /** Cancels {@link #arm} and {@link #armAfterError} if no thread has reached the points. */
    public static synchronized void disarm() {
        armed = NONE;
        following = NONE;
    }

    /** Starts or stops the recording of points that are reached. */
    public static void record(boolean wanted) {
        recording = wanted;
    }

    /** Returns the recorded points, and clears the record. */
    public static BitSet takeReached() {
        synchronized (REACHED) {
            BitSet taken = (BitSet) REACHED.clone();
            REACHED.clear();
            return taken;
        }
    }
}
