package io.jverbs.soft.fabric;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.soft.linux.Abi;
import io.jverbs.soft.linux.SocketAddress;
import io.jverbs.soft.wire.PacketBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * What one call receives: up to eight messages, each a packet or several of one sender in one piece, and the array of struct mmsghdr
 * that names the memory for them. They are given out one after the other. Not thread-safe.
 */
final class Inbox {
    /** Twice as many would save three hundredths more of what a short packet takes. */
    static final int MOST = 8;
    /** Each may be as long as a datagram can be; what is longer than its room would be cut. */
    private static final int BYTES = 1 << 16;
    /** What is longer is several packets in one piece: to be looked at while it is in the cache, before the next. */
    private static final int LONG_BYTES = 2 * PacketBuffer.MAX_BYTES;
    private static final int ADDRESS_BYTES = 32;

    private final MemorySegment sources = Arena.ofAuto().allocate(MOST * ADDRESS_BYTES, Long.BYTES);
    private final MemorySegment vectors = Arena.ofAuto().allocate(MOST * Abi.IOVEC_BYTES, Long.BYTES);
    private final MemorySegment controls = Arena.ofAuto().allocate(MOST * Abi.CMSG_SPACE_8, Long.BYTES);
    private final MemorySegment messages = Arena.ofAuto().allocate(MOST * Abi.MMSGHDR_BYTES, Long.BYTES);
    private final MemorySegment sourceLength = Arena.ofAuto().allocate(JAVA_INT);
    private final MemorySegment[] source = new MemorySegment[MOST];
    private final PacketBuffer[] buffers = new PacketBuffer[MOST];
    /** For how many there is memory. */
    private int rooms;
    private int count;
    private int next;
    /** How many in a row were short, up to as many as there can be at once. */
    private int shortInRow;

    Inbox() {
        for (int i = 0; i < MOST; i++) {
            long message = offset(i);
            source[i] = sources.asSlice((long) i * ADDRESS_BYTES, ADDRESS_BYTES);
            messages.set(ADDRESS, message + Abi.MSGHDR_NAME, source[i]);
            messages.set(ADDRESS, message + Abi.MSGHDR_IOV, vectors.asSlice((long) i * Abi.IOVEC_BYTES));
            messages.set(JAVA_LONG, message + Abi.MSGHDR_IOVLEN, 1);
            messages.set(ADDRESS, message + Abi.MSGHDR_CONTROL, controls.asSlice((long) i * Abi.CMSG_SPACE_8));
        }
        makeRooms(1);
    }

    private static long offset(int index) {
        return (long) index * Abi.MMSGHDR_BYTES;
    }

    /** Many sockets never get several short ones in a row. */
    private void makeRooms(int wanted) {
        for (; rooms < wanted; rooms++) {
            MemorySegment memory = Arena.ofAuto().allocate(BYTES, 64);
            buffers[rooms] = new PacketBuffer(memory);
            vectors.set(ADDRESS, (long) rooms * Abi.IOVEC_BYTES + Abi.IOVEC_BASE, memory);
            vectors.set(JAVA_LONG, (long) rooms * Abi.IOVEC_BYTES + Abi.IOVEC_LEN, BYTES);
        }
    }

    /** Makes room for so many messages, of which the first is a struct msghdr too; all before have been given out. */
    MemorySegment room(int wanted) {
        makeRooms(wanted);
        for (int i = 0; i < wanted; i++) {
            long message = offset(i);
            messages.set(JAVA_INT, message + Abi.MSGHDR_NAMELEN, Abi.SOCKADDR_IN6_BYTES);
            messages.set(JAVA_LONG, message + Abi.MSGHDR_CONTROLLEN, Abi.CMSG_SPACE_8);
        }
        return messages;
    }

    /** Makes room for a packet; all before have been given out. */
    MemorySegment packet() {
        sourceLength.set(JAVA_INT, 0, Abi.SOCKADDR_IN6_BYTES);
        return buffers[0].segment();
    }

    /** Where it is told who sent the packet. */
    MemorySegment source() {
        return source[0];
    }

    /** Where it is told how long that is. */
    MemorySegment sourceLength() {
        return sourceLength;
    }

    /** A packet has come, of so many bytes. */
    void cameAlone(int bytes) {
        messages.set(JAVA_LONG, Abi.MSGHDR_CONTROLLEN, 0);
        came(bytes);
    }

    /** One message has come, of so many bytes. */
    void came(int bytes) {
        messages.set(JAVA_INT, Abi.MMSGHDR_LEN, bytes);
        cameTogether(1);
    }

    /** So many messages have come. */
    void cameTogether(int many) {
        count = many;
        next = 0;
    }

    /** Whether there are messages that were not given out. */
    boolean holds() {
        return next < count;
    }

    /** How many it makes sense to ask for, of so many that are wanted: one while long messages come. */
    int sensible(int wanted) {
        return shortInRow < MOST ? 1 : Math.min(wanted, MOST);
    }

    /** Gives out the next message; who gets it has it until the next call. */
    void give(Arrival arrival) {
        int index = next++;
        MemorySegment from = source[index];
        int length = messages.get(JAVA_INT, offset(index) + Abi.MMSGHDR_LEN);
        shortInRow = length > LONG_BYTES ? 0 : Math.min(shortInRow + 1, MOST);
        arrival.buffer(buffers[index]);
        arrival.from(SocketAddress.high(from), SocketAddress.low(from), SocketAddress.port(from));
        arrival.came(length, segment(index));
    }

    /** How long the packets are that came in one piece; 0 if there is one only. */
    private int segment(int index) {
        long control = (long) index * Abi.CMSG_SPACE_8;
        boolean told = messages.get(JAVA_LONG, offset(index) + Abi.MSGHDR_CONTROLLEN) >= Abi.CMSG_DATA + Integer.BYTES
                && controls.get(JAVA_INT, control + Abi.CMSGHDR_LEVEL) == Abi.SOL_UDP
                && controls.get(JAVA_INT, control + Abi.CMSGHDR_TYPE) == Abi.UDP_GRO;
        return told ? controls.get(JAVA_INT, control + Abi.CMSG_DATA) : 0;
    }
}
