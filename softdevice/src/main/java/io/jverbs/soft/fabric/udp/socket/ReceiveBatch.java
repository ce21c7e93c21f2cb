package io.jverbs.soft.fabric.udp.socket;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.soft.linux.Abi;
import io.jverbs.soft.linux.SocketAddress;
import io.jverbs.soft.wire.PacketBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The memory for what one call receives: up to eight messages, each a packet or several coalesced packets of one
 * sender, and the array of struct mmsghdr that describes the memory. Received messages are returned one by one. Not
 * thread-safe.
 */
final class ReceiveBatch {
    /**
     * The maximum number of messages. Twice as many would save only three percent of the time that a short packet
     * takes.
     */
    static final int MAX_MESSAGES = 8;
    /** The size of the memory for a message: the longest datagram fits, so that none is truncated. */
    private static final int BYTES = 1 << 16;
    /**
     * A message that is longer is several coalesced packets. They are processed while they are in the cache, before the
     * next message is received.
     */
    private static final int LONG_BYTES = 2 * PacketBuffer.MAX_BYTES;
    private static final int ADDRESS_BYTES = 32;
    /** The space for two control messages, with the packet size and with the traffic class. */
    private static final int CONTROL_BYTES = 2 * Abi.CMSG_SPACE_8;
    private static final int ECN_MASK = 3;
    /** The mark of congestion, CE of RFC 3168. */
    private static final int CONGESTION_EXPERIENCED = 3;

    private final MemorySegment sources = Arena.ofAuto().allocate(MAX_MESSAGES * ADDRESS_BYTES, Long.BYTES);
    private final MemorySegment vectors = Arena.ofAuto().allocate(MAX_MESSAGES * Abi.IOVEC_BYTES, Long.BYTES);
    private final MemorySegment controls = Arena.ofAuto().allocate(MAX_MESSAGES * CONTROL_BYTES, Long.BYTES);
    private final MemorySegment messages = Arena.ofAuto().allocate(MAX_MESSAGES * Abi.MMSGHDR_BYTES, Long.BYTES);
    private final MemorySegment sourceLength = Arena.ofAuto().allocate(JAVA_INT);
    private final MemorySegment[] source = new MemorySegment[MAX_MESSAGES];
    private final PacketBuffer[] buffers = new PacketBuffer[MAX_MESSAGES];
    /** The number of messages for which memory is allocated. */
    private int allocated;
    private int count;
    private int nextIndex;
    // what the control messages of the latest message say
    private int packetSize;
    private boolean congestionExperienced;
    /** How many messages in a row were short, at most {@link #MAX_MESSAGES}. */
    private int shortInRow;

    ReceiveBatch() {
        for (int i = 0; i < MAX_MESSAGES; i++) {
            long message = offset(i);
            source[i] = sources.asSlice((long) i * ADDRESS_BYTES, ADDRESS_BYTES);
            messages.set(ADDRESS, message + Abi.MSGHDR_NAME, source[i]);
            messages.set(ADDRESS, message + Abi.MSGHDR_IOV, vectors.asSlice((long) i * Abi.IOVEC_BYTES));
            messages.set(JAVA_LONG, message + Abi.MSGHDR_IOVLEN, 1);
            messages.set(ADDRESS, message + Abi.MSGHDR_CONTROL, controls.asSlice((long) i * CONTROL_BYTES));
        }
        allocate(1);
    }

    private static long offset(int index) {
        return (long) index * Abi.MMSGHDR_BYTES;
    }

    /** Allocates memory on demand: many sockets never receive several short messages in a row. */
    private void allocate(int wanted) {
        for (; allocated < wanted; allocated++) {
            MemorySegment memory = Arena.ofAuto().allocate(BYTES, 64);
            buffers[allocated] = new PacketBuffer(memory);
            vectors.set(ADDRESS, (long) allocated * Abi.IOVEC_BYTES + Abi.IOVEC_BASE, memory);
            vectors.set(JAVA_LONG, (long) allocated * Abi.IOVEC_BYTES + Abi.IOVEC_LEN, BYTES);
        }
    }

    /**
     * Prepares to receive a number of messages, and returns the array. The first element also is a struct msghdr. All
     * earlier messages have been returned.
     */
    MemorySegment prepare(int wanted) {
        allocate(wanted);
        for (int i = 0; i < wanted; i++) {
            long message = offset(i);
            messages.set(JAVA_INT, message + Abi.MSGHDR_NAMELEN, Abi.SOCKADDR_IN6_BYTES);
            messages.set(JAVA_LONG, message + Abi.MSGHDR_CONTROLLEN, CONTROL_BYTES);
        }
        return messages;
    }

    /** Prepares to receive one packet, and returns its memory. All earlier messages have been returned. */
    MemorySegment preparePacket() {
        sourceLength.set(JAVA_INT, 0, Abi.SOCKADDR_IN6_BYTES);
        return buffers[0].segment();
    }

    /** Returns the memory for the source address of the packet. */
    MemorySegment source() {
        return source[0];
    }

    /** Returns the memory for the length of that address. */
    MemorySegment sourceLength() {
        return sourceLength;
    }

    /** Notes that one packet was received, without control messages. */
    void receivedPacket(int bytes) {
        messages.set(JAVA_LONG, Abi.MSGHDR_CONTROLLEN, 0);
        receivedMessage(bytes);
    }

    /** Notes that one message was received. */
    void receivedMessage(int bytes) {
        messages.set(JAVA_INT, Abi.MMSGHDR_LEN, bytes);
        receivedMessages(1);
    }

    /** Notes that a number of messages were received. */
    void receivedMessages(int many) {
        count = many;
        nextIndex = 0;
    }

    /** Returns whether there are messages that were not returned yet. */
    boolean holds() {
        return nextIndex < count;
    }

    /** Returns how many messages to ask for, given how many are wanted: one while long messages arrive. */
    int batchSize(int wanted) {
        return shortInRow < MAX_MESSAGES ? 1 : Math.min(wanted, MAX_MESSAGES);
    }

    /** Returns the next message. Its memory is valid until more is received. */
    void next(ReceivedPackets arrival) {
        int index = nextIndex++;
        MemorySegment from = source[index];
        int length = messages.get(JAVA_INT, offset(index) + Abi.MMSGHDR_LEN);
        shortInRow = length > LONG_BYTES ? 0 : Math.min(shortInRow + 1, MAX_MESSAGES);
        arrival.buffer(buffers[index]);
        arrival.source(SocketAddress.high(from), SocketAddress.low(from), SocketAddress.port(from));
        readControls(index);
        arrival.congestionExperienced(congestionExperienced);
        arrival.received(length, packetSize);
    }

    /**
     * Reads the control messages of a message: the length of the packets of a coalesced message, 0 if there is one
     * packet only, and the traffic class.
     */
    private void readControls(int index) {
        packetSize = 0;
        congestionExperienced = false;
        long control = (long) index * CONTROL_BYTES;
        long end = control + messages.get(JAVA_LONG, offset(index) + Abi.MSGHDR_CONTROLLEN);
        while (end - control > Abi.CMSG_DATA) {
            long bytes = controls.get(JAVA_LONG, control + Abi.CMSGHDR_LEN) - Abi.CMSG_DATA;
            int level = controls.get(JAVA_INT, control + Abi.CMSGHDR_LEVEL);
            int type = controls.get(JAVA_INT, control + Abi.CMSGHDR_TYPE);
            if (level == Abi.SOL_UDP && type == Abi.UDP_GRO && bytes >= Integer.BYTES) {
                packetSize = controls.get(JAVA_INT, control + Abi.CMSG_DATA);
            } else if (level == Abi.IPPROTO_IP && type == Abi.IP_TOS
                    || level == Abi.IPPROTO_IPV6 && type == Abi.IPV6_TCLASS) {
                // one byte, or an int of which the other bytes are 0; both processors are little-endian
                int trafficClass = controls.get(JAVA_BYTE, control + Abi.CMSG_DATA);
                congestionExperienced = (trafficClass & ECN_MASK) == CONGESTION_EXPERIENCED;
            }
            control += Abi.CMSG_SPACE_8;
        }
    }
}
