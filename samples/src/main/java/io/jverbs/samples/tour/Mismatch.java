package io.jverbs.samples.tour;

import java.io.Serial;

/** Something came out otherwise than the verbs promise: says what was expected and what came. */
final class Mismatch extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    Mismatch(String what, Object expected, Object came) {
        super(what + ": expected " + expected + ", came " + came);
    }

    /** Compares two values. */
    static void check(String what, Object expected, Object came) {
        if (!expected.equals(came)) {
            throw new Mismatch(what, expected, came);
        }
    }

    /** Compares two numbers without boxing them. */
    static void check(String what, long expected, long came) {
        if (expected != came) {
            throw new Mismatch(what, expected, came);
        }
    }
}
