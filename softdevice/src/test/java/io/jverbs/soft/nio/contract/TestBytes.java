package io.jverbs.soft.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;

/** The bytes that tests send: texts, and a long sequence in which each byte follows from its position. */
public final class TestBytes {
    private static final long FACTOR = 0x9E3779B97F4A7C15L;
    private static final int CHUNK = 1 << 16;

    private TestBytes() {}

    /** Returns the byte of the sequence at a position. */
    public static byte at(long position) {
        return (byte) (position * FACTOR >>> 56);
    }

    /** Returns a part of the sequence, in an array. */
    public static byte[] sequence(long position, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = at(position + i);
        }
        return bytes;
    }

    /** Checks that the bytes from 0 to the position of a buffer are the sequence from a position. */
    public static void assertSequence(long position, ByteBuffer buffer) {
        for (int i = 0; i < buffer.position(); i++) {
            if (buffer.get(i) != at(position + i)) {
                assertEquals(at(position + i), buffer.get(i), "byte " + (position + i));
            }
        }
    }

    /** Returns a text in a new array. */
    public static ByteBuffer text(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Returns the text before the position of a buffer. */
    public static String textBefore(ByteBuffer buffer) {
        return StandardCharsets.US_ASCII.decode(buffer.duplicate().flip()).toString();
    }

    /** Writes all bytes of a buffer; the channel is in blocking mode. */
    public static void writeFully(WritableByteChannel to, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            assertTrue(to.write(bytes) > 0, "a write in blocking mode wrote nothing");
        }
    }

    /** Writes the sequence from position 0, of a length. */
    public static void writeSequence(WritableByteChannel to, long length) throws IOException {
        for (long position = 0; position < length; position += CHUNK) {
            writeFully(to, ByteBuffer.wrap(sequence(position, (int) Math.min(CHUNK, length - position))));
        }
    }

    /** Reads and checks the sequence from position 0 to the end of the stream; returns its length. */
    public static long readSequence(ReadableByteChannel from) throws IOException {
        ByteBuffer into = ByteBuffer.allocateDirect(CHUNK);
        long position = 0;
        while (from.read(into) >= 0) {
            assertSequence(position, into);
            position += into.position();
            into.clear();
        }
        return position;
    }

    /** Reads and checks the sequence from position 0, of a length; the channel may be in either mode. */
    public static void readSequence(ReadableByteChannel from, long length) throws IOException {
        ByteBuffer into = ByteBuffer.allocateDirect(CHUNK);
        long position = 0;
        while (position < length) {
            into.clear().limit((int) Math.min(CHUNK, length - position));
            assertTrue(from.read(into) >= 0, "the stream ended after " + position + " bytes");
            assertSequence(position, into);
            position += into.position();
        }
    }

    /** Reads a text of a length. */
    public static String readText(ReadableByteChannel from, int length) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(length);
        while (into.hasRemaining()) {
            assertTrue(from.read(into) >= 0, "the stream ended after " + into.position() + " bytes");
        }
        return textBefore(into);
    }

    /**
     * Writes the sequence from a position until the channel, in non-blocking mode, takes no more; returns the new
     * position.
     */
    public static long fill(WritableByteChannel to, long position) throws IOException {
        long next = position;
        int written;
        do {
            written = to.write(ByteBuffer.wrap(sequence(next, CHUNK)));
            next += written;
        } while (written > 0);
        return next;
    }
}
