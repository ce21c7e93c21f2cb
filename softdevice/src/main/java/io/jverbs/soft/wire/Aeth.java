package io.jverbs.soft.wire;

import java.lang.foreign.MemorySegment;

/**
 * The ACK Extended Transport Header (AETH): the outcome of a request, and the number of messages that the responder has
 * completed. Its syndrome is an ACK, an RNR NAK with a timer, a NAK with a code, or reserved.
 */
public final class Aeth {
    /** The length of the header in bytes. */
    public static final int BYTES = 4;
    /** The syndrome of an ACK without credits. */
    public static final int ACK = 0x1F;
    /** The syndrome of a NAK with the code PSN sequence error: a packet before this one is missing. */
    public static final int NAK_PSN_SEQUENCE_ERROR = 0x60;
    /** The syndrome of a NAK with the code invalid request. */
    public static final int NAK_INVALID_REQUEST = 0x61;
    /** The syndrome of a NAK with the code remote access error. */
    public static final int NAK_REMOTE_ACCESS_ERROR = 0x62;
    /** The syndrome of a NAK with the code remote operational error. */
    public static final int NAK_REMOTE_OPERATIONAL_ERROR = 0x63;

    /** In place of a number of credits: the syndrome states none. */
    public static final int NO_CREDITS = -1;

    private static final int KIND_MASK = 0xE0;
    private static final int KIND_ACK = 0x00;
    private static final int KIND_RNR_NAK = 0x20;
    private static final int KIND_NAK = 0x60;
    private static final int VALUE_MASK = 0x1F;
    private static final int MAX_CREDITS = 1 << 15;
    private static final int SYNDROME_SHIFT = 24;

    private Aeth() {}

    /**
     * Writes the header.
     *
     * @param packet the memory of the packet
     * @param at the offset of the header
     * @param syndrome the syndrome, 8 bits
     * @param msn the message sequence number, 24 bits
     */
    public static void write(MemorySegment packet, long at, int syndrome, int msn) {
        packet.set(BigEndian.INT, at, syndrome << SYNDROME_SHIFT | msn & BigEndian.MASK_24);
    }

    /**
     * {@return the syndrome, 8 bits}
     *
     * @param packet the memory of the packet
     * @param at the offset of the header
     */
    public static int syndrome(MemorySegment packet, long at) {
        return packet.get(BigEndian.INT, at) >>> SYNDROME_SHIFT;
    }

    /**
     * {@return the message sequence number, 24 bits}
     *
     * @param packet the memory of the packet
     * @param at the offset of the header
     */
    public static int msn(MemorySegment packet, long at) {
        return packet.get(BigEndian.INT, at) & BigEndian.MASK_24;
    }

    /**
     * {@return the syndrome of an ACK that states credits} A code stands for each power of two and for the number
     * halfway to the next one, so the number is rounded down.
     *
     * @param count the number of receive requests that are posted, or {@link #NO_CREDITS}
     */
    public static int ack(int count) {
        if (count < 2) {
            return count & VALUE_MASK;
        }
        int log = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(Math.min(count, MAX_CREDITS));
        return 2 * log | (Math.min(count, MAX_CREDITS) >> log - 1 & 1);
    }

    /**
     * {@return the number of receive requests that the syndrome of an ACK states, or {@link #NO_CREDITS}}
     *
     * @param syndrome the syndrome of an ACK
     */
    public static int credits(int syndrome) {
        if (syndrome == ACK) {
            return NO_CREDITS;
        }
        return syndrome < 2 ? syndrome : (2 | syndrome & 1) << (syndrome >> 1) - 1;
    }

    /**
     * {@return the syndrome of an RNR NAK}
     *
     * @param timer the code of the time for which the requester waits, 5 bits
     */
    public static int rnrNak(int timer) {
        return KIND_RNR_NAK | timer & VALUE_MASK;
    }

    /**
     * {@return whether a syndrome is an ACK, with or without credits}
     *
     * @param syndrome the syndrome, 8 bits
     */
    public static boolean isAck(int syndrome) {
        return (syndrome & KIND_MASK) == KIND_ACK;
    }

    /**
     * {@return whether a syndrome is an RNR NAK}
     *
     * @param syndrome the syndrome, 8 bits
     */
    public static boolean isRnrNak(int syndrome) {
        return (syndrome & KIND_MASK) == KIND_RNR_NAK;
    }

    /**
     * {@return whether a syndrome is a NAK, with a known code or another}
     *
     * @param syndrome the syndrome, 8 bits
     */
    public static boolean isNak(int syndrome) {
        return (syndrome & KIND_MASK) == KIND_NAK;
    }

    /**
     * {@return the code of the time for which the requester waits, 5 bits}
     *
     * @param syndrome the syndrome of an RNR NAK
     */
    public static int rnrTimer(int syndrome) {
        return syndrome & VALUE_MASK;
    }
}
