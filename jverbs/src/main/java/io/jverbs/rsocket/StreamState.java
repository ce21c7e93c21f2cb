package io.jverbs.rsocket;

import io.jverbs.rsocket.protocol.StreamMessage;

/**
 * The state of a stream. A side that ends its output sends SHUTDOWN, or DISCONNECT if the other direction has ended
 * before. Both messages follow all data, so when the device of the peer has acknowledged one, it has all data. A
 * SHUTDOWN that arrives ends only the direction to this side. A DISCONNECT says that the peer reads nothing any more.
 *
 * <pre>
 * state           established  shutdownOutput             shutdownInput              SHUTDOWN      DISCONNECT
 *                                                                                    arrives       arrives
 * CONNECTING      CONNECTED    -                          -                          -             -
 * CONNECTED       -            WRITE_SHUT, SHUTDOWN       READ_SHUT                  READ_SHUT     DISCONNECTED
 * READ_SHUT       -            DISCONNECTING, DISCONNECT  -                          -             DISCONNECTED
 * WRITE_SHUT      -            -                          DISCONNECTING, DISCONNECT  CLOSING       DISCONNECTED
 * WRITE_ENDED     -            -                          DISCONNECTING, DISCONNECT  DISCONNECTED  DISCONNECTED
 * CLOSING         -            -                          -                          -             DISCONNECTED
 * DISCONNECTING   -            -                          -                          -             DISCONNECTED
 * DISCONNECTED    -            -                          -                          -             -
 * ERROR           -            -                          -                          -             -
 *
 * state           close                      SHUTDOWN      DISCONNECT    disconnected  failure  abort
 *                                            acknowledged  acknowledged
 * CONNECTING      DISCONNECTED               -             -             -             ERROR    DISCONNECTED
 * CONNECTED       DISCONNECTING, DISCONNECT  -             -             ERROR         ERROR    DISCONNECTED
 * READ_SHUT       DISCONNECTING, DISCONNECT  -             -             ERROR         ERROR    DISCONNECTED
 * WRITE_SHUT      DISCONNECTING, DISCONNECT  WRITE_ENDED   -             ERROR         ERROR    DISCONNECTED
 * WRITE_ENDED     DISCONNECTING, DISCONNECT  -             -             ERROR         ERROR    DISCONNECTED
 * CLOSING         -                          DISCONNECTED  -             DISCONNECTED  ERROR    DISCONNECTED
 * DISCONNECTING   -                          -             DISCONNECTED  DISCONNECTED  ERROR    DISCONNECTED
 * DISCONNECTED    -                          -             -             -             -        -
 * ERROR           -                          -             -             -             -        -
 * </pre>
 * The queue pair is disconnected by a DREQ of the peer, or because it has moved to ERR. An rsocket of librdmacm sends a
 * DREQ instead of an acknowledgement if the SHUTDOWN messages of both sides cross, so this is an end in CLOSING.
 */
enum StreamState {
    /** The connection is not established yet. */
    CONNECTING(false, false),
    /** Both directions carry bytes. */
    CONNECTED(true, true),
    /** The direction to this side has ended. */
    READ_SHUT(false, true),
    /** This side has ended the direction to the peer, and has sent SHUTDOWN. */
    WRITE_SHUT(true, false),
    /** As WRITE_SHUT, and SHUTDOWN is acknowledged. */
    WRITE_ENDED(true, false),
    /** Both sides have ended their output, and SHUTDOWN of this side is not acknowledged. */
    CLOSING(false, false),
    /** This side has ended both directions, and has sent DISCONNECT, which is not acknowledged. */
    DISCONNECTING(false, false),
    /** Both directions have ended. */
    DISCONNECTED(false, false),
    /** The connection has failed. */
    ERROR(false, false);

    private final boolean readable;
    private final boolean writable;

    StreamState(boolean readable, boolean writable) {
        this.readable = readable;
        this.writable = writable;
    }

    /** What changes the state. */
    enum Event {
        ESTABLISHED,
        SHUTDOWN_OUTPUT,
        SHUTDOWN_INPUT,
        PEER_SHUTDOWN,
        PEER_DISCONNECT,
        CLOSE,
        /** This side ends the stream without a message. */
        ABORT,
        SHUTDOWN_ACKNOWLEDGED,
        DISCONNECT_ACKNOWLEDGED,
        /** The queue pair carries no messages any more. */
        DISCONNECTED,
        FAILURE
    }

    /** Returns whether bytes can arrive. */
    boolean isReadable() {
        return readable;
    }

    /** Returns whether bytes can be sent. */
    boolean isWritable() {
        return writable;
    }

    /** Returns whether the queue pair carries messages. */
    boolean isConnected() {
        return readable || writable || isEnding();
    }

    /** Returns whether both directions have ended, but the peer may not have all data of this side yet. */
    boolean isEnding() {
        return this == CLOSING || this == DISCONNECTING;
    }

    /** Returns whether nothing changes any more. */
    boolean isEnded() {
        return this == DISCONNECTED || this == ERROR;
    }

    /** Returns the state after an event; this state if the event changes nothing. */
    StreamState after(Event event) {
        if (event == Event.ABORT) {
            return isEnded() ? this : DISCONNECTED;
        }
        return switch (this) {
            case CONNECTING -> switch (event) {
                case ESTABLISHED -> CONNECTED;
                case CLOSE -> DISCONNECTED;
                case FAILURE -> ERROR;
                default -> this;
            };
            case CONNECTED -> switch (event) {
                case SHUTDOWN_OUTPUT -> WRITE_SHUT;
                case SHUTDOWN_INPUT, PEER_SHUTDOWN -> READ_SHUT;
                case CLOSE -> DISCONNECTING;
                case PEER_DISCONNECT -> DISCONNECTED;
                case DISCONNECTED, FAILURE -> ERROR;
                default -> this;
            };
            case READ_SHUT -> switch (event) {
                case SHUTDOWN_OUTPUT, CLOSE -> DISCONNECTING;
                case PEER_DISCONNECT -> DISCONNECTED;
                case DISCONNECTED, FAILURE -> ERROR;
                default -> this;
            };
            case WRITE_SHUT -> switch (event) {
                case SHUTDOWN_ACKNOWLEDGED -> WRITE_ENDED;
                case PEER_SHUTDOWN -> CLOSING;
                case SHUTDOWN_INPUT, CLOSE -> DISCONNECTING;
                case PEER_DISCONNECT -> DISCONNECTED;
                case DISCONNECTED, FAILURE -> ERROR;
                default -> this;
            };
            case WRITE_ENDED -> switch (event) {
                case SHUTDOWN_INPUT, CLOSE -> DISCONNECTING;
                case PEER_SHUTDOWN, PEER_DISCONNECT -> DISCONNECTED;
                case DISCONNECTED, FAILURE -> ERROR;
                default -> this;
            };
            case CLOSING -> switch (event) {
                case SHUTDOWN_ACKNOWLEDGED, PEER_DISCONNECT, DISCONNECTED -> DISCONNECTED;
                case FAILURE -> ERROR;
                default -> this;
            };
            case DISCONNECTING -> switch (event) {
                case DISCONNECT_ACKNOWLEDGED, PEER_DISCONNECT, DISCONNECTED -> DISCONNECTED;
                case FAILURE -> ERROR;
                default -> this;
            };
            case DISCONNECTED, ERROR -> this;
        };
    }

    /** Returns the value of the control message that this side sends when this state follows another one; or -1. */
    int message(StreamState before) {
        if (before == this) {
            return -1;
        }
        return switch (this) {
            case WRITE_SHUT -> StreamMessage.CONTROL_SHUTDOWN;
            case DISCONNECTING -> StreamMessage.CONTROL_DISCONNECT;
            default -> -1;
        };
    }
}
