package io.jverbs.soft.capture;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;

/**
 * A ring of blocks in bounded memory, each in one piece. One adds at a time, under a lock of its own; one thread may write out what
 * is there meanwhile, unless the oldest give way to the newest.
 */
final class PacketLog {
    private static final int LENGTH = Integer.BYTES;
    /** In place of a block's type: there is nothing up to the end of the memory. */
    private static final int GAP = 0;

    private final ByteBuffer memory;
    private final int capacity;
    /** The most blocks there may be, the oldest giving way; 0 if they do not. */
    private final int most;
    /** Where the oldest block is, and where the next one will be; they grow for ever. */
    private volatile long head;
    private volatile long tail;
    /** Blocks, where the oldest give way. */
    private int count;

    /**
     * @param capacity in bytes, a power of two
     * @param most the most blocks there may be, the oldest giving way; 0 if none gives way
     */
    PacketLog(int capacity, int most) {
        this.capacity = capacity;
        this.most = most;
        this.memory = ByteBuffer.allocateDirect(capacity).order(ByteOrder.LITTLE_ENDIAN);
    }

    long tail() {
        return tail;
    }

    long head() {
        return head;
    }

    /** Whether so much is taken that it should be written soon. */
    boolean isHalfFull() {
        return tail - head > capacity >>> 1;
    }

    /** Makes room for a block at the position of the memory; null if there is none. */
    ByteBuffer room(int length) {
        int at = at(tail);
        int gap = at + length > capacity ? capacity - at : 0;
        if (length > capacity >>> 1) {
            return null;
        }
        while (most != 0 && count != 0 && (count >= most || capacity - (tail - head) < gap + length)) {
            evict();
        }
        if (capacity - (tail - head) < gap + length) {
            return null;
        }
        if (gap != 0) {
            memory.putInt(at, GAP);
            tail += gap;
        }
        return memory.limit(capacity).position(at(tail));
    }

    /** The block that has room is there. */
    void added(int length) {
        count++;
        tail += length;
    }

    private int at(long position) {
        return (int) position & capacity - 1;
    }

    private void evict() {
        skipGap();
        head += memory.getInt(at(head) + LENGTH);
        count--;
    }

    private void skipGap() {
        if (memory.getInt(at(head)) == GAP) {
            head += capacity - at(head);
        }
    }

    /**
     * Writes out, and forgets, blocks up to a position that the tail has had.
     *
     * @throws IOException if they cannot be written; some are then forgotten
     */
    void drain(WritableByteChannel out, long end) throws IOException {
        ByteBuffer view = memory.duplicate();
        while (head < end) {
            skipGap();
            long stop = Math.min(end, head + capacity - at(head));
            // several blocks at once, up to a gap
            long next = head;
            int blocks = 0;
            while (next < stop && memory.getInt(at(next)) != GAP) {
                next += memory.getInt(at(next) + LENGTH);
                blocks++;
            }
            view.limit(at(head) + (int) (next - head)).position(at(head));
            while (view.hasRemaining()) {
                out.write(view);
            }
            count -= most == 0 ? 0 : blocks;
            head = next;
        }
    }
}
