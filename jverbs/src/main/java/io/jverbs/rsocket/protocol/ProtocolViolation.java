package io.jverbs.rsocket.protocol;

import java.io.Serial;

/** The peer has sent what no rsocket sends; the message says what, and what is allowed. It ends the stream. */
public final class ProtocolViolation extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what the peer has sent, and what is allowed
     */
    public ProtocolViolation(String message) {
        super(message);
    }
}
