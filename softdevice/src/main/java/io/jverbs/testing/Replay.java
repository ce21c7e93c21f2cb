package io.jverbs.testing;

/**
 * A suppressed exception of a test failure. Its message describes the test's network and how to repeat the run. It has
 * no stack trace.
 */
final class Replay extends Exception {
    private static final long serialVersionUID = 1L;

    Replay(String message) {
        super(message, null, false, false);
    }
}
