package io.jverbs.samples.tour;

import java.io.Serial;

/** The device does not have what an operation needs, and does not claim to: nothing is wrong. */
final class NotOffered extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    NotOffered(String reason) {
        super(reason);
    }
}
