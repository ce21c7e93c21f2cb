package io.jverbs.testing;

/** Tells of the network of a test that failed, beside the failure. */
final class Replay extends Exception {
    private static final long serialVersionUID = 1L;

    Replay(String message) {
        super(message, null, false, false);
    }
}
