package io.jverbs.samples.udpong;

import java.nio.ByteBuffer;

/**
 * A message of udpong: the operation, the number that the server has given the client, a sequence number, a byte of no
 * meaning, a number in network byte order, and any bytes.
 */
final class UdpongMessage {
    /** The server responds with the number of the client. */
    static final int LOGIN = 0;
    /** A test begins; the server returns the message. */
    static final int START = 1;
    /** The server counts the message. */
    static final int DATA = 2;
    /** The server counts the message and returns it. */
    static final int ECHO = 3;
    /** The server responds with how many messages it has counted. */
    static final int END = 4;
    /** The number of bytes of the messages that are not measured. */
    static final int CONTROL_BYTES = 16;
    /** The maximum number of bytes. */
    static final int MAX_BYTES = 8 + 2048;

    /** The number of bytes that have a meaning. */
    private static final int HEADER_BYTES = 8;
    private static final int CLIENT = 1;
    private static final int SEQUENCE = 2;
    private static final int NUMBER = 4;

    private final ByteBuffer bytes = ByteBuffer.allocateDirect(MAX_BYTES);

    /** Returns the buffer with the first bytes, to send. */
    ByteBuffer first(int length) {
        return bytes.limit(length).position(0);
    }

    /** Returns the buffer, to receive into. */
    ByteBuffer whole() {
        return bytes.clear();
    }

    /** Returns how many bytes were received. */
    int received() {
        return bytes.position();
    }

    /** Returns whether what was received is a message. */
    boolean isMessage() {
        return received() >= HEADER_BYTES;
    }

    int operation() {
        return bytes.get(0);
    }

    void operation(int operation) {
        bytes.put(0, (byte) operation);
    }

    int client() {
        return Byte.toUnsignedInt(bytes.get(CLIENT));
    }

    void client(int client) {
        bytes.put(CLIENT, (byte) client);
    }

    int sequence() {
        return Byte.toUnsignedInt(bytes.get(SEQUENCE));
    }

    void sequence(int sequence) {
        bytes.put(SEQUENCE, (byte) sequence);
    }

    long number() {
        return Integer.toUnsignedLong(bytes.getInt(NUMBER));
    }

    void number(int number) {
        bytes.clear().putInt(NUMBER, number);
    }
}
