package io.jverbs.rsocket;

import java.io.IOException;
import java.io.Serial;
import java.util.Objects;

/**
 * Thrown when a stream cannot be connected, or when it ends without a close of this side. The message says what
 * happened and what to do:
 *
 * <pre>stream to 192.0.2.9:7471: REJECTED: there is no listener at this port: check the port and the port space</pre>
 */
public final class RdmaStreamException extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** The reason of a {@link RdmaStreamException}. */
    public enum Reason {
        /** The address of the peer cannot be resolved, or the peer does not respond. */
        UNREACHABLE,
        /** There is no listener at the port, or the listener has rejected. */
        REJECTED,
        /** The connection was not established within the timeout. */
        TIMED_OUT,
        /** The peer has closed the stream, so it reads nothing any more. */
        PEER_CLOSED,
        /** The peer has disconnected without closing the stream, for example because its process ended. */
        PEER_LOST,
        /** The device of the peer has not acknowledged a message or a keep-alive. */
        PEER_SILENT,
        /** The peer is no rsocket, or has violated the protocol. */
        PROTOCOL_ERROR,
        /** A verb of this side has failed, or the device was removed. */
        DEVICE_FAILED,
        /** The context of this side was closed. */
        CONTEXT_CLOSED
    }

    /** Why the stream does not exist. */
    private final Reason reason;

    RdmaStreamException(Reason reason, String what, String explanation, Throwable cause) {
        super(what + ": " + reason + ": " + explanation, cause);
        this.reason = Objects.requireNonNull(reason, "reason");
    }

    RdmaStreamException(Reason reason, String what, String explanation) {
        this(reason, what, explanation, null);
    }

    /** Returns an exception for another thread, with the stack of that thread. */
    RdmaStreamException again() {
        return new RdmaStreamException(this);
    }

    private RdmaStreamException(RdmaStreamException first) {
        super(first.getMessage(), first);
        this.reason = first.reason;
    }

    /** {@return the reason} */
    public Reason reason() {
        return reason;
    }
}
