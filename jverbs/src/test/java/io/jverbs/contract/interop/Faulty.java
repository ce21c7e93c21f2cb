package io.jverbs.contract.interop;

/** What traffic must not do. */
final class Faulty extends RuntimeException {
    private static final long serialVersionUID = 1;

    private Faulty(String message) {
        super(message);
    }

    /** Throws if the condition does not hold. */
    static void check(boolean condition, String format, Object... arguments) {
        if (!condition) {
            throw new Faulty(String.format(format, arguments));
        }
    }
}
