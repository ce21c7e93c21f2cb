package io.jverbs.samples.rdmacm;

/**
 * What is transferred.
 *
 * @param connections the number of connections
 * @param messages the number of messages of each connection in each direction, 0 for none
 * @param size the length of a message in bytes
 */
record Transfer(int connections, int messages, int size) {
    /** The largest number of connections that an option can give. */
    static final int MAX_CONNECTIONS = 65_535;
    /** The largest number of messages that an option can give; the device may allow fewer. */
    static final int MAX_MESSAGES = 1_000_000;
    /** The largest length of a message. */
    static final int MAX_SIZE = 1 << 30;

    /** Without data there are no messages, as in the C programs. */
    static Transfer of(int connections, int messages, int size) {
        return new Transfer(connections, size == 0 ? 0 : messages, size);
    }
}
