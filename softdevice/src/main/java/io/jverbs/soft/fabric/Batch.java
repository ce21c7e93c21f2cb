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
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Packets that leave with one call, and the array of struct mmsghdr that names them. They are in runs: packets of one size for one
 * peer, the last may be shorter, of which the system makes packets again. Each packet is in memory of its own: a copy of what was
 * registered, so that nothing of a program's memory is used after the queue pair's lock is released, or when its arena is closed.
 * Not thread-safe.
 */
final class Batch extends Outgoing {
    /** What Linux takes at a time in one piece; and more runs would only come later to who waits for the first. */
    private static final int MOST_PACKETS = 64;
    private static final int MOST_BYTES = 65_507;
    /** Two packets that differ are not worth a piece if they are as short: a message and an acknowledgement in a conversation. */
    private static final int SHORT_BYTES = 1024;

    private final PacketBuffer[] packets = new PacketBuffer[MOST_PACKETS];
    private final int[] lengths = new int[MOST_PACKETS];
    /** Where each run begins, and behind the last one where it ends. */
    private final int[] starts = new int[MOST_PACKETS + 1];
    private final Route[] routes = new Route[MOST_PACKETS];
    private final MemorySegment state = Libc.state();
    private final MemorySegment vectors = Arena.ofAuto().allocate(MOST_PACKETS * Abi.IOVEC_BYTES, Long.BYTES);
    private final MemorySegment controls = Arena.ofAuto().allocate(MOST_PACKETS * Abi.CMSG_SPACE_8, Long.BYTES);
    private final MemorySegment messages = Arena.ofAuto().allocate(MOST_PACKETS * Abi.MMSGHDR_BYTES, Long.BYTES);
    private int count;
    private int runs;
    private int bytes;
    /** Nothing can follow in the latest run. */
    private boolean ended;
    /** How many have left the latest time. */
    private int left;
    /** What the system has refused and nobody was told of: the first, which tells of the others. */
    private IOException refusal;

    Batch() {
        packets[0] = buffer();
        for (int run = 0; run < MOST_PACKETS; run++) {
            long control = (long) run * Abi.CMSG_SPACE_8;
            controls.set(JAVA_LONG, control + Abi.CMSGHDR_LEN, Abi.CMSG_DATA + Short.BYTES);
            controls.set(JAVA_INT, control + Abi.CMSGHDR_LEVEL, Abi.SOL_UDP);
            controls.set(JAVA_INT, control + Abi.CMSGHDR_TYPE, Abi.UDP_SEGMENT);
            messages.set(ADDRESS, offset(run) + Abi.MSGHDR_CONTROL, controls.asSlice(control));
        }
    }

    /** How many packets of so many bytes there can be in a run. */
    static int most(int bytes) {
        return Math.min(MOST_PACKETS, MOST_BYTES / bytes);
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

    /** Whether there is no room for a packet as long as the latest. */
    boolean isFull() {
        return count == MOST_PACKETS || bytes + lengths[count - 1] > MOST_BYTES;
    }

    @Override
    public boolean isBegun() {
        return count != 0 && !ended;
    }

    @Override
    public boolean takesAlong(int length) {
        return count != 0 && takes(length);
    }

    private boolean isOpen(int length) {
        int first = lengths[starts[runs - 1]];
        return !ended && (length == first || length < first && (first > SHORT_BYTES || placeInRun() > 1));
    }

    /** Whether there is room for the packet that is written. */
    boolean takes(int length) {
        return count == 0 || bytes + length <= MOST_BYTES;
    }

    /** Whether the packet that is written can be of the latest run. */
    boolean continues(int length, Route to) {
        return count != 0 && to == routes[runs - 1] && isOpen(length);
    }

    /** The place in its run of the next packet, if it is of the latest. */
    int placeInRun() {
        return count - starts[runs - 1];
    }

    /** Begins a run. */
    void begin(Route to) {
        starts[runs] = count;
        routes[runs] = to;
        runs++;
        ended = false;
    }

    /** Takes the packet that was written into the latest run; the next is written behind it. */
    void take(int length) {
        long vector = (long) count * Abi.IOVEC_BYTES;
        vectors.set(ADDRESS, vector + Abi.IOVEC_BASE, buffer().segment());
        vectors.set(JAVA_LONG, vector + Abi.IOVEC_LEN, length);
        lengths[count] = length;
        bytes += length;
        count++;
        starts[runs] = count;
        ended = length < lengths[starts[runs - 1]];
        if (count < MOST_PACKETS) {
            if (packets[count] == null) {
                packets[count] = newBuffer();
            }
            buffer(packets[count]);
        }
    }

    /** Where a run goes. */
    Route route(int run) {
        return routes[run];
    }

    /** The first packet of a run; of the run behind the last, how many packets there are. */
    int start(int run) {
        return starts[run];
    }

    /** A packet that was taken. */
    PacketBuffer packet(int index) {
        return packets[index];
    }

    /** How long it is. */
    int length(int index) {
        return lengths[index];
    }

    private static long offset(int run) {
        return (long) run * Abi.MMSGHDR_BYTES;
    }

    /** Says in a run's struct mmsghdr where it goes. */
    void address(int run, MemorySegment address) {
        long message = offset(run);
        int first = starts[run];
        int packetsOfRun = starts[run + 1] - first;
        messages.set(ADDRESS, message + Abi.MSGHDR_NAME, address);
        messages.set(JAVA_INT, message + Abi.MSGHDR_NAMELEN, (int) address.byteSize());
        messages.set(JAVA_LONG, message + Abi.MSGHDR_IOV, vectors.address() + (long) first * Abi.IOVEC_BYTES);
        messages.set(JAVA_LONG, message + Abi.MSGHDR_IOVLEN, packetsOfRun);
        messages.set(JAVA_LONG, message + Abi.MSGHDR_CONTROLLEN, packetsOfRun > 1 ? Abi.CMSG_SPACE_8 : 0);
        controls.set(JAVA_SHORT, (long) run * Abi.CMSG_SPACE_8 + Abi.CMSG_DATA, (short) lengths[first]);
    }

    /** The array of struct mmsghdr of all runs. */
    MemorySegment messages() {
        return messages;
    }

    /** The struct msghdr of a run. */
    MemorySegment message(int run) {
        return run == 0 ? messages : messages.asSlice(offset(run));
    }

    /** All have left. */
    void clear() {
        left = count;
        count = 0;
        for (int run = 0; run < runs; run++) {
            routes[run] = null;
        }
        runs = 0;
        bytes = 0;
        buffer(packets[0]);
    }

    /** The packet that was written behind those that have left is the first of those to come. */
    void startWithWritten() {
        PacketBuffer written = packets[left];
        packets[left] = packets[0];
        packets[0] = written;
        buffer(written);
    }

    /** The system has refused a packet, or a piece. */
    void refused(IOException why) {
        if (refusal == null) {
            refusal = why;
        } else {
            refusal.addSuppressed(why);
        }
    }

    /** Throws what the system has refused, if so; once. */
    void throwRefusal() throws IOException {
        if (refusal != null) {
            IOException why = refusal;
            refusal = null;
            throw why;
        }
    }
}
