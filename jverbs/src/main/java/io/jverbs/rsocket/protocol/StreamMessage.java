package io.jverbs.rsocket.protocol;

/**
 * Messages: the immediate data of an RDMA WRITE, or the four bytes of a SEND on a transport without immediate data. The
 * package description has the operations.
 */
public final class StreamMessage {
    /** Bytes were written to the receive buffer; the value is their number. */
    public static final int DATA = 0;
    /** The limit of the sequence number has changed, and maybe the target SGL. */
    public static final int SGL = 4;
    /** An entry of the target iomap was written; the value is its index. */
    public static final int IOMAP = 6;
    /** The state of the stream changes; the value is one of the following. */
    public static final int CONTROL = 7;

    /** Both directions have ended. */
    public static final int CONTROL_DISCONNECT = 0;
    /** The peer is alive. */
    public static final int CONTROL_KEEP_ALIVE = 1;
    /** The direction from the sender has ended. */
    public static final int CONTROL_SHUTDOWN = 2;

    private static final int OPERATION_SHIFT = 29;
    /** The largest value of a message, in particular the largest number of bytes of a data message. */
    public static final int MAX_VALUE = (1 << OPERATION_SHIFT) - 1;

    private StreamMessage() {}

    /**
     * {@return the message with an operation and a value of at most 29 bits}
     *
     * @param operation the operation
     * @param value the value
     */
    public static int of(int operation, int value) {
        return operation << OPERATION_SHIFT | value;
    }

    /**
     * {@return the operation of a message, 0 to 7}
     *
     * @param message the message
     */
    public static int operation(int message) {
        return message >>> OPERATION_SHIFT;
    }

    /**
     * {@return the value of a message, 0 to {@link #MAX_VALUE}}
     *
     * @param message the message
     */
    public static int value(int message) {
        return message & MAX_VALUE;
    }

    /**
     * {@return a message for the text of an exception}
     *
     * @param message the message
     */
    public static String text(int message) {
        String name = switch (operation(message)) {
            case DATA -> "data";
            case SGL -> "SGL";
            case IOMAP -> "iomap";
            case CONTROL -> "control";
            default -> "reserved";
        };
        return "message 0x" + Integer.toHexString(message) + " (operation " + operation(message) + ", " + name
                + ", value " + value(message) + ")";
    }
}
