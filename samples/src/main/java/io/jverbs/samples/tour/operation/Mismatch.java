package io.jverbs.samples.tour.operation;

import java.io.Serial;

/** Thrown when a result of an operation differs from the expected one. The message has both. */
public final class Mismatch extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    Mismatch(String what, Object expected, Object actual) {
        super(what + ": expected " + expected + ", was " + actual);
    }

    /** Compares two values. */
    static void check(String what, Object expected, Object actual) {
        if (!expected.equals(actual)) {
            throw new Mismatch(what, expected, actual);
        }
    }

    /** Compares two numbers without boxing them. */
    static void check(String what, long expected, long actual) {
        if (expected != actual) {
            throw new Mismatch(what, expected, actual);
        }
    }
}
