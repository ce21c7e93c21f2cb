package io.jverbs.soft.fabric;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.jverbs.soft.linux.Abi;
import io.jverbs.soft.linux.Libc;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.wire.Outgoing;
import io.jverbs.soft.wire.PacketBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Packets of one size, the last may be shorter, that leave for one peer with one call, and the struct msghdr that names them. Each is
 * in memory of its own: a copy of what was registered, so that nothing of a program's memory is used after the queue pair's lock is
 * released, or when its arena is closed. Not thread-safe.
 */
final class Batch extends Outgoing {
    /** What Linux takes at a time. */
    private static final int MOST_PACKETS = 64;
    private static final int MOST_BYTES = 65_507;

    private final PacketBuffer[] packets = new PacketBuffer[MOST_PACKETS];
    private final MemorySegment state = Libc.state();
    private final MemorySegment vectors = Arena.ofAuto().allocate(MOST_PACKETS * Abi.IOVEC_BYTES, Long.BYTES);
    private final MemorySegment control = Arena.ofAuto().allocate(Abi.CMSG_SPACE_8, Long.BYTES);
    private final MemorySegment message = Arena.ofAuto().allocate(Abi.MSGHDR_BYTES, Long.BYTES);
    private int count;
    private int size;
    private int bytes;
    private boolean complete;
    /** How many have left the latest time. */
    private int left;
    private Route route;

    Batch() {
        packets[0] = buffer();
        control.set(JAVA_LONG, Abi.CMSGHDR_LEN, Abi.CMSG_DATA + Short.BYTES);
        control.set(JAVA_INT, Abi.CMSGHDR_LEVEL, Abi.SOL_UDP);
        control.set(JAVA_INT, Abi.CMSGHDR_TYPE, Abi.UDP_SEGMENT);
        message.set(ADDRESS, Abi.MSGHDR_IOV, vectors);
        message.set(ADDRESS, Abi.MSGHDR_CONTROL, control);
        message.set(JAVA_LONG, Abi.MSGHDR_CONTROLLEN, control.byteSize());
    }

    /** How many packets of so many bytes there can be. */
    static int most(int bytes) {
        return Math.min(MOST_PACKETS, MOST_BYTES / bytes);
    }

    MemorySegment state() {
        return state;
    }

    int count() {
        return count;
    }

    /** Whether nothing can follow. */
    boolean isComplete() {
        return complete;
    }

    Route route() {
        return route;
    }

    @Override
    public boolean isBegun() {
        return count != 0;
    }

    @Override
    public boolean takesAlong(int length) {
        return count != 0 && length <= size && bytes + length <= MOST_BYTES;
    }

    /** Whether the packet that is written can leave with those before it. */
    boolean takes(int length, Route to) {
        return count == 0 || to == route && length <= size && bytes + length <= MOST_BYTES;
    }

    /** Takes the packet that was written; the next is written behind it. */
    void take(int length, Route to) {
        long vector = (long) count * Abi.IOVEC_BYTES;
        vectors.set(ADDRESS, vector + Abi.IOVEC_BASE, buffer().segment());
        vectors.set(JAVA_LONG, vector + Abi.IOVEC_LEN, length);
        if (count == 0) {
            size = length;
            route = to;
        }
        bytes += length;
        count++;
        complete = length < size || count == MOST_PACKETS || bytes + size > MOST_BYTES;
        if (count < MOST_PACKETS) {
            if (packets[count] == null) {
                packets[count] = newBuffer();
            }
            buffer(packets[count]);
        }
    }

    /** A packet that was taken. */
    PacketBuffer packet(int index) {
        return packets[index];
    }

    /** How long it is. */
    int length(int index) {
        return index < count - 1 ? size : bytes - index * size;
    }

    /** The struct msghdr of all. */
    MemorySegment message(MemorySegment address) {
        message.set(ADDRESS, Abi.MSGHDR_NAME, address);
        message.set(JAVA_INT, Abi.MSGHDR_NAMELEN, (int) address.byteSize());
        message.set(JAVA_LONG, Abi.MSGHDR_IOVLEN, count);
        control.set(JAVA_SHORT, Abi.CMSG_DATA, (short) size);
        return message;
    }

    /** All have left. */
    void clear() {
        left = count;
        count = 0;
        bytes = 0;
        complete = false;
        route = null;
        buffer(packets[0]);
    }

    /** The packet that was written behind those that have left is the first of those to come. */
    void startWithWritten() {
        PacketBuffer written = packets[left];
        packets[left] = packets[0];
        packets[0] = written;
        buffer(written);
    }
}
