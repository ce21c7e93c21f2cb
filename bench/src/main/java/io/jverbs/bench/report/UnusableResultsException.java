package io.jverbs.bench.report;

/** Thrown if results of earlier runs cannot be used. The message names what is wrong or missing. */
public final class UnusableResultsException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Creates an exception. */
    public UnusableResultsException(String message) {
        super(message);
    }
}
