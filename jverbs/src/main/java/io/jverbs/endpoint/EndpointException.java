package io.jverbs.endpoint;

import java.io.Serial;
import java.util.Objects;

/**
 * Thrown when a connection cannot be established, or when a connection ends without a close of this side. The message
 * says what happened and what to do:
 *
 * <pre>connect to 192.0.2.9:7471: REJECTED: there is no listener at this port: check the port and the port space</pre>
 */
public final class EndpointException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** The reason of an {@link EndpointException}. */
    public enum Reason {
        /** The address of the peer cannot be resolved, or the peer does not respond. */
        UNREACHABLE,
        /** There is no listener at the port, or the listener has rejected. */
        REJECTED,
        /** The peer is no endpoint, or its version of the protocol is another one. */
        INCOMPATIBLE,
        /** A step has not ended within its timeout. */
        TIMED_OUT,
        /** The peer has closed its endpoint. */
        PEER_CLOSED,
        /** The peer has disconnected without closing its endpoint, for example because its process ended. */
        PEER_LOST,
        /** The device of the peer has not acknowledged a message or a keep-alive. */
        PEER_SILENT,
        /** The peer has violated the protocol of endpoints. */
        PROTOCOL_ERROR,
        /** A handler of this side has thrown an exception, which is the cause. */
        HANDLER_FAILED,
        /** A verb of this side has failed, or the device was removed. */
        DEVICE_FAILED,
        /** The context of this side was closed. */
        CONTEXT_CLOSED
    }

    /** Why the connection does not exist. */
    private final Reason reason;

    EndpointException(Reason reason, String what, String explanation, Throwable cause) {
        super(what + ": " + reason + ": " + explanation, cause);
        this.reason = Objects.requireNonNull(reason, "reason");
    }

    EndpointException(Reason reason, String what, String explanation) {
        this(reason, what, explanation, null);
    }

    /** Returns an exception for another thread, with the stack of that thread. */
    EndpointException again() {
        return new EndpointException(this);
    }

    private EndpointException(EndpointException first) {
        super(first.getMessage(), first);
        this.reason = first.reason;
    }

    /** {@return the reason} */
    public Reason reason() {
        return reason;
    }
}
