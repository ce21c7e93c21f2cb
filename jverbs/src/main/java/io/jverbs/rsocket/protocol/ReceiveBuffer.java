package io.jverbs.rsocket.protocol;

/**
 * The receive buffer of this side: which bytes the peer may write, which have arrived, and which the program has read.
 * It consists of two halves, which are published to the peer in turn, each when it is free. The thread that polls adds
 * what arrives and publishes, and the thread that reads consumes.
 */
public final class ReceiveBuffer {
    private static final int SEQUENCE_MASK = 0xFFFF;

    private final int size;
    private final int half;
    private final int credits;
    /** The lengths of the messages that have arrived, a ring. */
    private final int[] lengths;
    private final int mask;
    private final Position arrivedMessages = new Position(0);
    private final Position readMessages = new Position(0);
    private final Position arrivedBytes = new Position(0);
    private final Position readBytes = new Position(0);
    /** The bytes of the oldest message that are read. */
    private int readOfMessage;
    private int offset;
    /** The messages without bytes that take credits too: iomap messages. */
    private long otherMessages;
    private long publishedBytes;
    /** The number of messages that the peer may have sent at all, by what it was told. */
    private long limit;
    private long grants;

    /**
     * Creates a buffer whose first half is published.
     *
     * @param size the size in bytes, even
     * @param credits the number of messages that this side can hold, 2 to 65535
     */
    public ReceiveBuffer(int size, int credits) {
        this.size = size;
        this.half = size / 2;
        this.credits = credits;
        this.lengths = new int[Integer.highestOneBit(credits) << 1];
        this.mask = lengths.length - 1;
        this.publishedBytes = half;
        this.limit = credits;
    }

    /**
     * Adds a data message.
     *
     * @param bytes the number of bytes that the peer says to have written
     * @throws ProtocolViolation if it was not allowed to write as many, or to send a message
     */
    public void arrived(int bytes) {
        long max = publishedBytes - arrivedBytes.get();
        if (bytes < 1 || bytes > max) {
            throw new ProtocolViolation("the peer sent a message of " + bytes + " bytes, which is outside 1.." + max
                    + ", the free part of the receive buffer that it knows");
        }
        requireCredit();
        long number = arrivedMessages.get();
        lengths[(int) number & mask] = bytes;
        arrivedMessages.set(number + 1);
        arrivedBytes.add(bytes);
    }

    /**
     * Adds a message without bytes that takes a credit.
     *
     * @throws ProtocolViolation if the peer was not allowed to send a message
     */
    public void arrivedOther() {
        requireCredit();
        otherMessages++;
    }

    private void requireCredit() {
        if (messages() >= limit) {
            throw new ProtocolViolation("the peer sent more than " + credits + " messages, for which it had no credit:"
                    + " the limit of its sequence number is " + (limit & SEQUENCE_MASK));
        }
    }

    /** {@return how many messages have arrived, those without bytes included; for the thread that polls} */
    public long messages() {
        return arrivedMessages.get() + otherMessages;
    }

    /** {@return how many bytes have arrived, read or not} */
    public long bytes() {
        return arrivedBytes.get();
    }

    /** {@return how often credits were granted; for the thread that polls} */
    public long grants() {
        return grants;
    }

    /** {@return how many bytes can be read} */
    public int available() {
        return (int) (arrivedBytes.get() - readBytes.get());
    }

    /** {@return where the next byte to read is} */
    public int offset() {
        return offset;
    }

    /** {@return how many bytes can be read at {@link #offset} without a wrap} */
    public int contiguous() {
        return Math.min(available(), size - offset);
    }

    /**
     * Passes bytes that are read, maybe beyond the end of the buffer to its begin; the caller has checked that as many
     * can be.
     *
     * @param bytes the number of bytes
     */
    public void read(int bytes) {
        int next = offset + bytes;
        offset = next >= size ? next - size : next;
        int left = bytes + readOfMessage;
        long number = readMessages.get();
        long end = arrivedMessages.get();
        while (number < end && left >= lengths[(int) number & mask]) {
            left -= lengths[(int) number & mask];
            number++;
        }
        readOfMessage = left;
        readMessages.set(number);
        readBytes.add(bytes);
    }

    /** {@return whether the peer must get an SGL message: half of the buffer is free, or half of the credits are} */
    public boolean isUpdateDue() {
        return mustPublish() || readMessages.get() + otherMessages + credits - limit >= credits / 2;
    }

    /** {@return whether the next SGL message has an entry: the half of the buffer that is free} */
    public boolean mustPublish() {
        return size - (publishedBytes - readBytes.get()) >= half;
    }

    /** {@return where the half of the buffer begins that is to be published} */
    public int nextHalf() {
        return (int) (publishedBytes % size);
    }

    /** {@return the number of bytes of a half} */
    public int half() {
        return half;
    }

    /** Notes that the half of the buffer was published. */
    public void published() {
        publishedBytes += half;
    }

    /**
     * Grants credits for the messages that are read.
     *
     * @return the value of the SGL message
     */
    public int grant() {
        limit = readMessages.get() + otherMessages + credits;
        grants++;
        return (int) limit & SEQUENCE_MASK;
    }
}
