package io.jverbs.soft.traffic;

/** The device deviated from the model. */
final class Violation extends AssertionError {
    private static final long serialVersionUID = 1L;

    Violation(String message) {
        super(message);
    }

    /** Throws a violation unless a condition holds. */
    static void unless(boolean condition, String message, Object... arguments) {
        if (!condition) {
            throw new Violation(String.format(message, arguments));
        }
    }
}
