package io.jverbs.rsocket;

import java.io.Serial;

/** The peer has sent what no rsocket sends; the message says what, and what is allowed. It ends the stream. */
final class ProtocolViolation extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    ProtocolViolation(String message) {
        super(message);
    }
}
