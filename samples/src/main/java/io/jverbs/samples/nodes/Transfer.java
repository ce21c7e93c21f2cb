package io.jverbs.samples.nodes;

import io.jverbs.samples.connect.Numbers;

/**
 * What is transferred.
 *
 * @param connections the number of connections
 * @param messages the number of messages of each connection in each direction, 0 for none
 * @param size the length of a message in bytes
 */
public record Transfer(int connections, int messages, int size) {
    /** The largest number of connections that an option can give. */
    public static final int MAX_CONNECTIONS = 65_535;
    /** The device may allow fewer. */
    private static final int MAX_MESSAGES = 1_000_000;
    private static final int MAX_SIZE = 1 << 30;

    /**
     * Parses the options. Without data there are no messages, as in the C programs.
     *
     * @param connections the value of -c
     * @param messages the value of -C
     * @param size the value of -S
     * @return what is transferred
     * @throws IllegalArgumentException if a value is not a number in the range; the message names option, value and
     *         range
     */
    public static Transfer parse(String connections, String messages, String size) {
        int count = Numbers.read("-c", connections, 1, MAX_CONNECTIONS);
        int number = Numbers.read("-C", messages, 0, MAX_MESSAGES);
        int bytes = Numbers.read("-S", size, 0, MAX_SIZE);
        return new Transfer(count, bytes == 0 ? 0 : number, bytes);
    }
}
