package io.jverbs.samples.rsocket;

import io.jverbs.samples.console.SampleFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The header of a message of rcopy: version, command, length and data of 1, 1, 2 and 4 bytes, and an ID of 8 bytes, in
 * the byte order of the machine, as in the C program. Both machines need the same.
 *
 * @param command the command; a response has {@link #RESPONSE} added
 * @param length the length of the message in bytes, this header included
 * @param data the mode of the file in an open command, and the errno in a response
 * @param id what the response repeats
 */
record CopyMessage(int command, int length, int data, long id) {
    static final int OPEN = 1;
    static final int CLOSE = 2;
    static final int WRITE = 3;
    static final int RESPONSE = 0x80;
    static final int BYTES = 16;
    /** The length of a write command, which has the size of the file behind the header. */
    static final int WRITE_BYTES = BYTES + Long.BYTES;
    static final int MAX_LENGTH = 0xFFFF;

    /** Creates a command. */
    static CopyMessage command(int command, int length, int data) {
        return new CopyMessage(command, length, data, 0);
    }

    /** Returns the response to this command. */
    CopyMessage response(int errno) {
        return new CopyMessage(command | RESPONSE, BYTES, errno, id);
    }

    /** Returns a buffer for messages of a length. */
    static ByteBuffer buffer(int length) {
        return ByteBuffer.allocateDirect(length).order(ByteOrder.nativeOrder());
    }

    /** Writes the header to a buffer. */
    ByteBuffer put(ByteBuffer buffer) {
        return buffer.put((byte) 0).put((byte) command).putShort((short) length).putInt(data).putLong(id);
    }

    /** Sends a message that has only a header. */
    void send(ByteStream stream) throws IOException, InterruptedException {
        stream.write(put(buffer(BYTES)).flip());
    }

    /** Receives a header; returns null at the end of the stream. */
    static CopyMessage receive(ByteStream stream) throws IOException, InterruptedException {
        ByteBuffer buffer = buffer(BYTES);
        if (!receive(stream, buffer)) {
            return null;
        }
        buffer.flip();
        int version = Byte.toUnsignedInt(buffer.get());
        CopyMessage message = new CopyMessage(Byte.toUnsignedInt(buffer.get()), Short.toUnsignedInt(buffer.getShort()),
                buffer.getInt(), buffer.getLong());
        if (version != 0 || message.length < BYTES) {
            throw new SampleFailure("the peer sent a message of version " + version + " and length " + message.length
                    + "; allowed are version 0, and lengths of at least " + BYTES);
        }
        return message;
    }

    /** Fills a buffer; returns false if the stream has ended before its first byte. */
    static boolean receive(ByteStream stream, ByteBuffer into) throws IOException, InterruptedException {
        int start = into.position();
        while (into.hasRemaining()) {
            if (stream.read(into) < 0) {
                if (into.position() == start) {
                    return false;
                }
                throw new SampleFailure("the peer has ended the stream " + into.remaining()
                        + " bytes before the end of a message");
            }
        }
        return true;
    }

    /** Receives the response to a command; returns its errno. */
    static int receiveResponse(ByteStream stream, int command) throws IOException, InterruptedException {
        CopyMessage response = receive(stream);
        if (response == null) {
            throw new SampleFailure("the peer has ended the stream in place of a response");
        }
        if (response.command != (command | RESPONSE) || response.length != BYTES) {
            throw new SampleFailure("the peer sent a message of command " + response.command + " and length "
                    + response.length + "; allowed are command " + (command | RESPONSE) + " and length " + BYTES);
        }
        return response.data;
    }
}
