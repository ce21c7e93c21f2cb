package io.jverbs.soft.fabric.udp.socket;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.jverbs.soft.linux.Abi;
import io.jverbs.soft.linux.Libc;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.wire.PacketBuffer;
import io.jverbs.soft.wire.SendBuffer;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Packets that are sent with one call, and the array of struct mmsghdr that describes them. The packets form runs:
 * packets of one size to one peer, of which the last may be shorter. A run is sent as one segmented message, which the
 * kernel splits into packets again. Each packet is in memory of its own, with a copy of the payload. No registered
 * memory of a program is therefore used after the queue pair's lock is released, or when its arena is closed. Not
 * thread-safe.
 */
final class SendBatch extends SendBuffer {
    /**
     * The number of packets that Linux takes in one segmented message. More runs would only delay the packets of the
     * first.
     */
    private static final int MAX_PACKETS = 64;
    private static final int MAX_BYTES = 65_507;
    /**
     * Only a packet longer than this begins a run of two packets of different lengths: for a message and an
     * acknowledgement, a segmented message does not pay off.
     */
    private static final int SHORT_BYTES = 1024;

    private final PacketBuffer[] packets = new PacketBuffer[MAX_PACKETS];
    private final int[] lengths = new int[MAX_PACKETS];
    /** The index of each run's first packet; after the last run, the number of packets. */
    private final int[] runStarts = new int[MAX_PACKETS + 1];
    private final Route[] routes = new Route[MAX_PACKETS];
    private final MemorySegment state = Libc.state();
    private final MemorySegment vectors = Arena.ofAuto().allocate(MAX_PACKETS * Abi.IOVEC_BYTES, Long.BYTES);
    private final MemorySegment controls = Arena.ofAuto().allocate(MAX_PACKETS * Abi.CMSG_SPACE_8, Long.BYTES);
    private final MemorySegment messages = Arena.ofAuto().allocate(MAX_PACKETS * Abi.MMSGHDR_BYTES, Long.BYTES);
    private int count;
    private int runs;
    private int bytes;
    /** The latest run takes no more packets, as its last one is shorter than the others. */
    private boolean runEnded;
    /** The number of packets that the latest {@link #clear} removed. */
    private int cleared;
    /** The first failure that was not thrown yet. Later ones are its suppressed exceptions. */
    private IOException failure;

    SendBatch() {
        packets[0] = buffer();
        for (int run = 0; run < MAX_PACKETS; run++) {
            long control = (long) run * Abi.CMSG_SPACE_8;
            controls.set(JAVA_LONG, control + Abi.CMSGHDR_LEN, Abi.CMSG_DATA + Short.BYTES);
            controls.set(JAVA_INT, control + Abi.CMSGHDR_LEVEL, Abi.SOL_UDP);
            controls.set(JAVA_INT, control + Abi.CMSGHDR_TYPE, Abi.UDP_SEGMENT);
            messages.set(ADDRESS, offset(run) + Abi.MSGHDR_CONTROL, controls.asSlice(control));
        }
    }

    /** Returns how many packets of a length a run can have. */
    static int maxPackets(int bytes) {
        return Math.min(MAX_PACKETS, MAX_BYTES / bytes);
    }

    MemorySegment state() {
        return state;
    }

    int count() {
        return count;
    }

    int runs() {
        return runs;
    }

    /** Returns whether there is no room for another packet as long as the latest. */
    boolean isFull() {
        return count == MAX_PACKETS || bytes + lengths[count - 1] > MAX_BYTES;
    }

    @Override
    public boolean isBegun() {
        return count != 0 && !runEnded;
    }

    @Override
    public boolean hasRoomInBatch(int length) {
        return count != 0 && fits(length);
    }

    private boolean acceptsLength(int length) {
        int first = lengths[runStarts[runs - 1]];
        return !runEnded && (length == first || length < first && (first > SHORT_BYTES || indexInRun() > 1));
    }

    /** Returns whether there is room for the packet that was written. */
    boolean fits(int length) {
        return count == 0 || bytes + length <= MAX_BYTES;
    }

    /** Returns whether the packet that was written can join the latest run. */
    boolean joinsRun(int length, Route to) {
        return count != 0 && to == routes[runs - 1] && acceptsLength(length);
    }

    /** Returns the index that the next packet has in the latest run, if it joins it. */
    int indexInRun() {
        return count - runStarts[runs - 1];
    }

    /** Begins a run to a destination. */
    void beginRun(Route to) {
        runStarts[runs] = count;
        routes[runs] = to;
        runs++;
        runEnded = false;
    }

    /** Adds the packet that was written to the latest run. The next packet is written to other memory. */
    void add(int length) {
        long vector = (long) count * Abi.IOVEC_BYTES;
        vectors.set(ADDRESS, vector + Abi.IOVEC_BASE, buffer().segment());
        vectors.set(JAVA_LONG, vector + Abi.IOVEC_LEN, length);
        lengths[count] = length;
        bytes += length;
        count++;
        runStarts[runs] = count;
        runEnded = length < lengths[runStarts[runs - 1]];
        if (count < MAX_PACKETS) {
            if (packets[count] == null) {
                packets[count] = newBuffer();
            }
            buffer(packets[count]);
        }
    }

    /** Returns the destination of a run. */
    Route route(int run) {
        return routes[run];
    }

    /** Returns the index of a run's first packet; for the run after the last, the number of packets. */
    int firstPacket(int run) {
        return runStarts[run];
    }

    /** Returns a packet that was added. */
    PacketBuffer packet(int index) {
        return packets[index];
    }

    /** Returns the length of an added packet in bytes. */
    int length(int index) {
        return lengths[index];
    }

    private static long offset(int run) {
        return (long) run * Abi.MMSGHDR_BYTES;
    }

    /** Fills in the struct mmsghdr of a run. */
    void fillHeader(int run, MemorySegment address) {
        long message = offset(run);
        int first = runStarts[run];
        int packetsOfRun = runStarts[run + 1] - first;
        messages.set(ADDRESS, message + Abi.MSGHDR_NAME, address);
        messages.set(JAVA_INT, message + Abi.MSGHDR_NAMELEN, (int) address.byteSize());
        messages.set(JAVA_LONG, message + Abi.MSGHDR_IOV, vectors.address() + (long) first * Abi.IOVEC_BYTES);
        messages.set(JAVA_LONG, message + Abi.MSGHDR_IOVLEN, packetsOfRun);
        messages.set(JAVA_LONG, message + Abi.MSGHDR_CONTROLLEN, packetsOfRun > 1 ? Abi.CMSG_SPACE_8 : 0);
        controls.set(JAVA_SHORT, (long) run * Abi.CMSG_SPACE_8 + Abi.CMSG_DATA, (short) lengths[first]);
    }

    /** Returns the array of struct mmsghdr of all runs. */
    MemorySegment messages() {
        return messages;
    }

    /** Returns the struct msghdr of a run. */
    MemorySegment message(int run) {
        return run == 0 ? messages : messages.asSlice(offset(run));
    }

    /** Removes all packets. */
    void clear() {
        cleared = count;
        count = 0;
        for (int run = 0; run < runs; run++) {
            routes[run] = null;
        }
        runs = 0;
        bytes = 0;
        buffer(packets[0]);
    }

    /** Makes the packet that was written after the removed ones the first of the next batch. */
    void startWithWritten() {
        PacketBuffer written = packets[cleared];
        packets[cleared] = packets[0];
        packets[0] = written;
        buffer(written);
    }

    /** Adds a failure: the system refused a packet or a segmented message. */
    void addFailure(IOException why) {
        if (failure == null) {
            failure = why;
        } else {
            failure.addSuppressed(why);
        }
    }

    /** Throws the failures that were added, if there are any, and forgets them. */
    void throwFailures() throws IOException {
        if (failure != null) {
            IOException why = failure;
            failure = null;
            throw why;
        }
    }
}
