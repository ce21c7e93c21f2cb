package io.jverbs.rsocket;

/**
 * Messages: the immediate data of an RDMA WRITE, or the four bytes of a SEND on a transport without immediate data. The
 * package description has the operations.
 */
final class StreamMessage {
    /** Bytes were written to the receive buffer; the value is their number. */
    static final int DATA = 0;
    /** The limit of the sequence number has changed, and maybe the target SGL. */
    static final int SGL = 4;
    /** An entry of the target iomap was written; the value is its index. */
    static final int IOMAP = 6;
    /** The state of the stream changes; the value is one of the following. */
    static final int CONTROL = 7;

    static final int CONTROL_DISCONNECT = 0;
    static final int CONTROL_KEEP_ALIVE = 1;
    static final int CONTROL_SHUTDOWN = 2;

    private static final int OPERATION_SHIFT = 29;
    /** The largest value of a message, in particular the largest number of bytes of a data message. */
    static final int MAX_VALUE = (1 << OPERATION_SHIFT) - 1;

    private StreamMessage() {}

    /** Returns the message with an operation and a value of at most 29 bits. */
    static int of(int operation, int value) {
        return operation << OPERATION_SHIFT | value;
    }

    /** Returns the operation of a message, 0 to 7. */
    static int operation(int message) {
        return message >>> OPERATION_SHIFT;
    }

    /** Returns the value of a message, 0 to {@link #MAX_VALUE}. */
    static int value(int message) {
        return message & MAX_VALUE;
    }

    /** Returns a message for the text of an exception. */
    static String text(int message) {
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
