package io.jverbs.endpoint;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** What is sent to the peer: the headers of messages, and private data; the package description has the fields. */
final class WireFormat {
    static final int HEADER_BYTES = 16;

    /** A message without a reply. */
    static final int DATA = 1;
    /** A message whose sender waits for a reply. */
    static final int REQUEST = 2;
    /** The reply to a request. */
    static final int REPLY = 3;
    /** Only returns credits. */
    static final int CREDIT = 4;
    /** The last message of its sender. */
    static final int CLOSE = 5;

    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final int CONTROL_CREDITS = 1;
    private static final int CREDITS = 2;
    private static final int LENGTH = 4;
    private static final int REQUEST_ID = 8;

    private WireFormat() {}

    static void write(MemorySegment memory, long at, int type, int length, long requestId) {
        memory.set(ValueLayout.JAVA_BYTE, at, (byte) type);
        memory.set(INT, at + LENGTH, length);
        memory.set(LONG, at + REQUEST_ID, requestId);
    }

    static void writeCredits(MemorySegment memory, long at, int control, int credits) {
        memory.set(ValueLayout.JAVA_BYTE, at + CONTROL_CREDITS, (byte) control);
        memory.set(SHORT, at + CREDITS, (short) credits);
    }

    static int type(MemorySegment memory, long at) {
        return memory.get(ValueLayout.JAVA_BYTE, at);
    }

    static int controlCredits(MemorySegment memory, long at) {
        return Byte.toUnsignedInt(memory.get(ValueLayout.JAVA_BYTE, at + CONTROL_CREDITS));
    }

    static int credits(MemorySegment memory, long at) {
        return Short.toUnsignedInt(memory.get(SHORT, at + CREDITS));
    }

    static int length(MemorySegment memory, long at) {
        return memory.get(INT, at + LENGTH);
    }

    static long requestId(MemorySegment memory, long at) {
        return memory.get(LONG, at + REQUEST_ID);
    }

    /**
     * What both sides tell each other in the private data of the connect request and its response; the package
     * description has the fields.
     *
     * @param receiveBuffers how many messages this side can hold
     * @param messageSize the maximum length of a message for this side, in bytes
     */
    record PrivateData(int receiveBuffers, int messageSize) {
        static final int MAGIC = 0x4A56_4550;
        static final int VERSION = 1;
        private static final int BYTES = 16;
        private static final int PREFIX = 8;
        private static final int MAX_REJECT_BYTES = 148;

        static PrivateData of(EndpointOptions options) {
            return new PrivateData(options.receiveBuffers(), options.messageSize());
        }

        ByteBuffer encode() {
            return ByteBuffer.allocate(BYTES).putInt(MAGIC).putShort((short) VERSION).putShort((short) 0)
                    .putInt(receiveBuffers).putInt(messageSize).flip();
        }

        /** Returns what the peer has sent; throws IllegalArgumentException, with the reason, if it is no such data. */
        static PrivateData decode(ByteBuffer data) {
            if (data.remaining() < BYTES) {
                throw new IllegalArgumentException(
                        "the peer is not an endpoint: its private data has " + data.remaining()
                                + " bytes, at least " + BYTES + " are expected");
            }
            int magic = data.getInt();
            if (magic != MAGIC) {
                throw new IllegalArgumentException("the peer is not an endpoint: its private data begins with 0x"
                        + Integer.toHexString(magic) + " instead of 0x" + Integer.toHexString(MAGIC));
            }
            int version = Short.toUnsignedInt(data.getShort());
            if (version != VERSION) {
                throw new IllegalArgumentException("the peer has version " + version + " of the protocol of endpoints,"
                        + " this side has version " + VERSION + ": use the same version of jverbs on both sides");
            }
            data.getShort();
            int receives = data.getInt();
            int size = data.getInt();
            requireInRange("receiveBuffers", receives, EndpointOptions.MAX_RECEIVE_BUFFERS);
            requireInRange("messageSize", size, EndpointOptions.MAX_MESSAGE_SIZE);
            return new PrivateData(receives, size);
        }

        private static void requireInRange(String name, int value, int max) {
            if (value < 1 || value > max) {
                throw new IllegalArgumentException("the peer sent " + name + " " + Integer.toUnsignedString(value)
                        + ", which is outside 1.." + max);
            }
        }

        /** Returns the private data of a reject, with a sentence that is cut if it is too long. */
        static ByteBuffer rejection(String sentence) {
            byte[] text = sentence.getBytes(StandardCharsets.US_ASCII);
            int length = Math.min(text.length, MAX_REJECT_BYTES - PREFIX);
            return ByteBuffer.allocate(PREFIX + length).putInt(MAGIC).putShort((short) VERSION).putShort((short) length)
                    .put(text, 0, length).flip();
        }

        /** Returns the sentence of a reject by an endpoint; null if the private data are none. */
        static String sentence(ByteBuffer data) {
            if (data.remaining() < PREFIX || data.getInt() != MAGIC) {
                return null;
            }
            data.getShort();
            int length = Short.toUnsignedInt(data.getShort());
            if (length == 0 || length > data.remaining()) {
                return null;
            }
            byte[] text = new byte[length];
            data.get(text);
            StringBuilder printable = new StringBuilder(length);
            for (byte each : text) {
                printable.append(each >= ' ' && each <= '~' ? (char) each : '?');
            }
            return printable.toString();
        }
    }
}
