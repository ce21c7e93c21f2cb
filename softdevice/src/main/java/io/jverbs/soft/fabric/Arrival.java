package io.jverbs.soft.fabric;

import io.jverbs.soft.wire.PacketBuffer;
import java.lang.foreign.Arena;

/**
 * What was received in one piece: a packet, or several of one sender, all of one size but the last, which are looked
 * at one after the other. Used again for each call; not thread-safe.
 */
final class Arrival {
    /** The most that a UDP datagram can have, and a byte more. */
    private static final int BYTES = 1 << 16;

    /** Null until somebody wants it. */
    private PacketBuffer own;
    private PacketBuffer buffer;
    private long sourceHigh;
    private long sourceLow;
    private int sourcePort;
    private int end;
    private int segment;
    private int index;
    private int length;

    /** Where it is. */
    PacketBuffer buffer() {
        return buffer;
    }

    /** Room for what comes, of its own. */
    PacketBuffer room() {
        if (own == null) {
            own = new PacketBuffer(Arena.ofAuto().allocate(BYTES, 64));
        }
        buffer = own;
        return own;
    }

    /** Says where it is, if it is not in its own room. */
    void buffer(PacketBuffer other) {
        buffer = other;
    }

    /** Says who sent what is received; comes before {@link #came}. */
    void from(long high, long low, int port) {
        sourceHigh = high;
        sourceLow = low;
        sourcePort = port;
    }

    /**
     * Something has come: {@link #next} looks at its first packet, as there is one at least.
     *
     * @param bytes how much, 0 to 65536
     * @param each how long its packets are, as the system says, any number; one that they cannot have means that it is one packet
     */
    void came(int bytes, int each) {
        end = bytes;
        segment = each > 0 && each < bytes ? each : Math.max(bytes, 1);
        index = -1;
    }

    /** Before its first packet once more. */
    void again() {
        index = -1;
    }

    /** Whether there is a packet after this one. */
    boolean hasNext() {
        return (index + 1) * segment < end;
    }

    /** Whether {@link #next} has gone to its last packet. */
    boolean isSpent() {
        return index >= 0 && !hasNext();
    }

    /** Goes to the next packet. */
    void next() {
        index++;
        int start = index * segment;
        buffer.start(start);
        length = Math.min(segment, end - start);
    }

    /** How many packets there are before this one. */
    int index() {
        return index;
    }

    /** How long this packet is. */
    int length() {
        return length;
    }

    long sourceHigh() {
        return sourceHigh;
    }

    long sourceLow() {
        return sourceLow;
    }

    int sourcePort() {
        return sourcePort;
    }
}
