package io.jverbs.contract.end;

import io.jverbs.Errno;

/** A {@code VerbsException} of an end, by value. */
public final class VerbsFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String operation;
    private final int errno;

    public VerbsFailure(String operation, int errno, String message) {
        super(message);
        this.operation = operation;
        this.errno = errno;
    }

    public String operation() {
        return operation;
    }

    public int errno() {
        return errno;
    }

    public Errno error() {
        return Errno.of(errno);
    }
}
