package io.jverbs.soft.traffic;

/** Something happened that must not. */
final class Violation extends AssertionError {
    private static final long serialVersionUID = 1L;

    Violation(String message) {
        super(message);
    }

    /** Throws unless a condition holds. */
    static void unless(boolean condition, String message, Object... arguments) {
        if (!condition) {
            throw new Violation(String.format(message, arguments));
        }
    }
}
