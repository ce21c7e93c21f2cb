package io.jverbs.soft.fabric.udp.socket;

import io.jverbs.soft.wire.PacketBuffer;
import java.lang.foreign.Arena;

/**
 * What one receive call returned: a packet, or several packets of one sender that the kernel coalesced (UDP_GRO). All
 * packets have the same size, except that the last may be shorter. {@link #next} steps through them. One object
 * is reused for all calls. Not thread-safe.
 */
public final class ReceivedPackets {
    /** One byte more than the longest UDP datagram. */
    private static final int BYTES = 1 << 16;

    /** Null until {@link #ownBuffer} is called for the first time. */
    private PacketBuffer ownBuffer;
    private PacketBuffer buffer;
    private long sourceHigh;
    private long sourceLow;
    private int sourcePort;
    private boolean congestionExperienced;
    private int end;
    private int packetSize;
    private int index;
    private int length;

    /** Creates an object that holds no packets. */
    public ReceivedPackets() {
        // the memory is allocated when it is used
    }

    /** Returns the memory that contains the packets. */
    public PacketBuffer buffer() {
        return buffer;
    }

    /** Selects this object's own memory for the next receive call, and returns it. */
    public PacketBuffer ownBuffer() {
        if (ownBuffer == null) {
            ownBuffer = new PacketBuffer(Arena.ofAuto().allocate(BYTES, 64));
        }
        buffer = ownBuffer;
        return ownBuffer;
    }

    /** Sets the memory that contains the packets, if it is not this object's own. */
    public void buffer(PacketBuffer other) {
        buffer = other;
    }

    /** Sets the sender; called before {@link #received}. */
    public void source(long high, long low, int port) {
        sourceHigh = high;
        sourceLow = low;
        sourcePort = port;
    }

    /** Sets whether the packets had the mark of congestion (CE of ECN). */
    public void congestionExperienced(boolean mark) {
        congestionExperienced = mark;
    }

    /** Returns whether the packets had the mark of congestion. */
    public boolean congestionExperienced() {
        return congestionExperienced;
    }

    /**
     * Sets the received bytes and goes to the position before the first packet. There is at least one packet, so that
     * {@link #next} may be called.
     *
     * @param bytes the number of bytes received, 0 to 65536
     * @param size the length of each packet as the kernel reports it; any value is allowed. A length that the packets
     *     cannot have means that there is one packet
     */
    public void received(int bytes, int size) {
        end = bytes;
        packetSize = size > 0 && size < bytes ? size : Math.max(bytes, 1);
        index = -1;
    }

    /** Goes back to the position before the first packet. */
    public void rewind() {
        index = -1;
    }

    /** Returns whether there is a packet after the current one. */
    public boolean hasNext() {
        return (index + 1) * packetSize < end;
    }

    /** Returns whether the current packet is the last one. */
    public boolean isLast() {
        return index >= 0 && !hasNext();
    }

    /** Goes to the next packet. */
    public void next() {
        index++;
        int start = index * packetSize;
        buffer.start(start);
        length = Math.min(packetSize, end - start);
    }

    /** Returns the number of packets before the current one. */
    public int index() {
        return index;
    }

    /** Returns the length of the current packet in bytes. */
    public int length() {
        return length;
    }

    /** Returns the upper half of the address of the sender. */
    public long sourceHigh() {
        return sourceHigh;
    }

    /** Returns the lower half of the address of the sender. */
    public long sourceLow() {
        return sourceLow;
    }

    /** Returns the UDP port of the sender. */
    public int sourcePort() {
        return sourcePort;
    }
}
