package io.jverbs.samples.perftest.exchange;

import java.nio.ByteBuffer;

/**
 * The bandwidth that a side has measured. Each number is a message of its own. The unit of peak and average is that in
 * which the sender prints them.
 *
 * @param size the length of a message in bytes
 * @param iterations the number of messages
 * @param peak the peak bandwidth, 0 if it was not determined
 * @param average the average bandwidth
 * @param rate the average in millions of messages a second
 */
public record BandwidthMessage(long size, long iterations, double peak, double average, double rate) {
    /** What a side sends that has measured nothing. */
    public static final BandwidthMessage NONE = new BandwidthMessage(0, 0, 0, 0, 0);

    /** The names of the five messages. */
    static final String[] PARTS = {"the size of the messages", "the number of messages", "the peak bandwidth",
        "the average bandwidth", "the message rate"};

    /** {@return the five messages} */
    byte[][] toMessages() {
        return new byte[][] {bytes(size), bytes(iterations), bytes(Double.doubleToRawLongBits(peak)),
            bytes(Double.doubleToRawLongBits(average)), bytes(Double.doubleToRawLongBits(rate))};
    }

    private static byte[] bytes(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    /**
     * Decodes the five messages. A side that has measured nothing may send anything, so they are not checked.
     *
     * @param messages the messages, of 8 bytes each
     * @return the bandwidth
     */
    static BandwidthMessage of(byte[][] messages) {
        return new BandwidthMessage(number(messages[0]), number(messages[1]),
                Double.longBitsToDouble(number(messages[2])), Double.longBitsToDouble(number(messages[3])),
                Double.longBitsToDouble(number(messages[4])));
    }

    private static long number(byte[] message) {
        return ByteBuffer.wrap(message).getLong();
    }

    /**
     * {@return this bandwidth}
     *
     * @throws IllegalArgumentException if a number is negative or not finite; the text names it and its value
     */
    BandwidthMessage checked() {
        check(PARTS[0], size, Integer.MAX_VALUE);
        check(PARTS[1], iterations, Long.MAX_VALUE);
        check(PARTS[2], peak, Double.MAX_VALUE);
        check(PARTS[3], average, Double.MAX_VALUE);
        check(PARTS[4], rate, Double.MAX_VALUE);
        return this;
    }

    private static void check(String part, long value, long most) {
        if (value < 0 || value > most) {
            throw new IllegalArgumentException(part + " is " + value + ", outside 0.." + most);
        }
    }

    private static void check(String part, double value, double most) {
        if (!(value >= 0 && value <= most)) {
            throw new IllegalArgumentException(part + " is " + value + ", not a finite number of at least 0");
        }
    }
}
