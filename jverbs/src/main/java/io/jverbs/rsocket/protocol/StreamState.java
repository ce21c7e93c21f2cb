package io.jverbs.rsocket.protocol;

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
public enum StreamState {
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
    public enum Event {
        /** Both sides can send. */
        ESTABLISHED,
        /** This side ends its output. */
        SHUTDOWN_OUTPUT,
        /** This side ends its input. */
        SHUTDOWN_INPUT,
        /** SHUTDOWN of the peer has arrived. */
        PEER_SHUTDOWN,
        /** DISCONNECT of the peer has arrived. */
        PEER_DISCONNECT,
        /** This side ends both directions. */
        CLOSE,
        /** This side ends the stream without a message. */
        ABORT,
        /** The device of the peer has acknowledged SHUTDOWN, and so all data. */
        SHUTDOWN_ACKNOWLEDGED,
        /** The device of the peer has acknowledged DISCONNECT, and so all data. */
        DISCONNECT_ACKNOWLEDGED,
        /** The queue pair carries no messages any more. */
        DISCONNECTED,
        /** The connection fails. */
        FAILURE
    }

    /** {@return whether bytes can arrive} */
    public boolean isReadable() {
        return readable;
    }

    /** {@return whether bytes can be sent} */
    public boolean isWritable() {
        return writable;
    }

    /** {@return whether the queue pair carries messages} */
    public boolean isConnected() {
        return readable || writable || isEnding();
    }

    /** {@return whether both directions have ended, but the peer may not have all data of this side yet} */
    public boolean isEnding() {
        return this == CLOSING || this == DISCONNECTING;
    }

    /** {@return whether nothing changes any more} */
    public boolean isEnded() {
        return this == DISCONNECTED || this == ERROR;
    }

    /**
     * {@return the state after an event; this state if the event changes nothing}
     *
     * @param event the event
     */
    public StreamState after(Event event) {
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

    /**
     * {@return the value of the control message that this side sends when this state follows another one; -1 for none}
     *
     * @param before the other state
     */
    public int message(StreamState before) {
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
