package io.jverbs.rsocket.protocol;

/**
 * The sequence numbers of the messages of this side that the peer must hold: data and iomap messages. The peer limits
 * them with its SGL messages. The thread that writes takes numbers, and the thread that polls sets the limit.
 */
public final class SendSequence {
    private static final int MASK = 0xFFFF;

    /** The number of messages that the peer can hold. */
    private final int credits;
    private final Position sent = new Position(0);
    private final Position bytes = new Position(0);
    private final Position limit;
    private long limits;

    /**
     * Creates it.
     *
     * @param credits the number of messages that the peer can hold, 1 to 65535
     */
    public SendSequence(int credits) {
        this.credits = credits;
        this.limit = new Position(credits);
    }

    /** {@return whether the peer can hold another message} */
    public boolean isAvailable() {
        return sent.get() < limit.get();
    }

    /**
     * Takes the number of a message; the caller has checked {@link #isAvailable}.
     *
     * @param length how many bytes of the stream the message has; 0 for an iomap message
     */
    public void take(int length) {
        bytes.add(length);
        sent.add(1);
    }

    /** {@return how many messages have taken a number} */
    public long messages() {
        return sent.get();
    }

    /** {@return how many bytes of the stream these messages have} */
    public long bytes() {
        return bytes.get();
    }

    /** {@return how many SGL messages have set the limit; for the thread that polls} */
    public long limits() {
        return limits;
    }

    /**
     * Sets the limit that an SGL message has. The peer has added the number of its credits to that of the messages that
     * its program has read, so the limit cannot decrease, nor exceed the number of sent messages by more.
     *
     * @param value the lower 16 bits of the limit, maybe with other bits
     * @throws ProtocolViolation if the limit is outside this range
     */
    public void limit(int value) {
        long present = limit.get();
        long next = present + (value - present & MASK);
        long max = sent.get() + credits;
        if (next > max) {
            throw new ProtocolViolation("the peer set the limit of the sequence number to " + (value & MASK)
                    + ", which is outside " + (present & MASK) + ".." + (max & MASK) + " modulo 65536");
        }
        limit.set(next);
        limits++;
    }
}
