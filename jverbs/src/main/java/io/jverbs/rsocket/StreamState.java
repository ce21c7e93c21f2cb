package io.jverbs.rsocket;

import io.jverbs.rsocket.protocol.StreamMessage;

/**
 * The state of a stream. A side that ends its output sends SHUTDOWN, or DISCONNECT if the other direction has ended
 * before.
 * <pre>
 * state            established  shutdownOutput             shutdownInput              SHUTDOWN      DISCONNECT
 *                                                                                     arrives       arrives
 * CONNECTING       CONNECTED    -                          -                          -             -
 * CONNECTED        -            WRITE_SHUT, SHUTDOWN       READ_SHUT                  READ_SHUT     DISCONNECTED
 * READ_SHUT        -            DISCONNECTING, DISCONNECT  -                          -             DISCONNECTED
 * WRITE_SHUT       -            -                          DISCONNECTING, DISCONNECT  DISCONNECTED  DISCONNECTED
 * DISCONNECTING    -            -                          -                          DISCONNECTED  DISCONNECTED
 * DISCONNECTED     -            -                          -                          -             -
 * ERROR            -            -                          -                          -             -
 *
 * state            close                      DISCONNECT acknowledged  failure
 * CONNECTING       DISCONNECTED               -                        ERROR
 * CONNECTED        DISCONNECTING, DISCONNECT  -                        ERROR
 * READ_SHUT        DISCONNECTING, DISCONNECT  -                        ERROR
 * WRITE_SHUT       DISCONNECTING, DISCONNECT  -                        ERROR
 * DISCONNECTING    -                          DISCONNECTED             ERROR
 * DISCONNECTED     -                          -                        -
 * ERROR            -                          -                        -
 * </pre>
 */
enum StreamState {
    /** The connection is not established yet. */
    CONNECTING(false, false),
    /** Both directions carry bytes. */
    CONNECTED(true, true),
    /** The direction to this side has ended. */
    READ_SHUT(false, true),
    /** This side has ended the direction to the peer. */
    WRITE_SHUT(true, false),
    /** This side has ended both directions, and has sent DISCONNECT. */
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
        DISCONNECT_ACKNOWLEDGED,
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
        return readable || writable || this == DISCONNECTING;
    }

    /** Returns whether nothing changes any more. */
    boolean isEnded() {
        return this == DISCONNECTED || this == ERROR;
    }

    /** Returns the state after an event; this state if the event changes nothing. */
    StreamState after(Event event) {
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
                case FAILURE -> ERROR;
                default -> this;
            };
            case READ_SHUT -> switch (event) {
                case SHUTDOWN_OUTPUT, CLOSE -> DISCONNECTING;
                case PEER_DISCONNECT -> DISCONNECTED;
                case FAILURE -> ERROR;
                default -> this;
            };
            case WRITE_SHUT -> switch (event) {
                case SHUTDOWN_INPUT, CLOSE -> DISCONNECTING;
                case PEER_SHUTDOWN, PEER_DISCONNECT -> DISCONNECTED;
                case FAILURE -> ERROR;
                default -> this;
            };
            case DISCONNECTING -> switch (event) {
                case PEER_SHUTDOWN, PEER_DISCONNECT, DISCONNECT_ACKNOWLEDGED -> DISCONNECTED;
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
