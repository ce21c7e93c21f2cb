package io.jverbs.samples.tour.operation;

import java.io.Serial;

/** Thrown when the device does not support an operation. This is not a failure. */
public final class NotSupported extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    public NotSupported(String reason) {
        super(reason);
    }
}
