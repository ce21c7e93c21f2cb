package io.jverbs.contract.interop;

/** Reports a failed check of the traffic. */
final class Faulty extends RuntimeException {
    private static final long serialVersionUID = 1;

    private Faulty(String message) {
        super(message);
    }

    /** Throws unless the condition holds. */
    static void check(boolean condition, String format, Object... arguments) {
        if (!condition) {
            throw new Faulty(String.format(format, arguments));
        }
    }
}
