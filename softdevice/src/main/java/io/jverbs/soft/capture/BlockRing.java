package io.jverbs.soft.capture;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;

/**
 * A ring buffer of pcapng blocks in memory. Each block is contiguous. If it is full, it either rejects new blocks or
 * evicts the oldest ones.
 *
 * <p>
 * Blocks are added with a lock held that the callers provide. If blocks are not evicted, one thread may drain them at
 * the same time without that lock.
 */
final class BlockRing {
    private static final int LENGTH = Integer.BYTES;
    /** Stands in place of a block type: the rest of the memory up to its end is unused. */
    private static final int GAP = 0;

    private final ByteBuffer memory;
    private final int capacity;
    /** The maximum number of blocks, above which the oldest is evicted; 0 if blocks are not evicted. */
    private final int maxBlocks;
    /** The positions of the oldest and of the next block. They increase monotonically. */
    private volatile long head;
    private volatile long tail;
    /** The number of blocks; maintained only if blocks are evicted. */
    private int count;

    /**
     * @param capacity the size of the memory in bytes, a power of two
     * @param maxBlocks the maximum number of blocks, above which the oldest is evicted; 0 not to evict blocks
     */
    BlockRing(int capacity, int maxBlocks) {
        this.capacity = capacity;
        this.maxBlocks = maxBlocks;
        this.memory = ByteBuffer.allocateDirect(capacity).order(ByteOrder.LITTLE_ENDIAN);
    }

    long tail() {
        return tail;
    }

    long head() {
        return head;
    }

    /** Returns whether more than half of the memory is used, so that it should be written soon. */
    boolean isHalfFull() {
        return tail - head > capacity >>> 1;
    }

    /**
     * Reserves room for a block and returns the memory, positioned at the room; null if there is no room. There is
     * never room for a block longer than half of the memory.
     */
    ByteBuffer room(int length) {
        int at = at(tail);
        int gap = at + length > capacity ? capacity - at : 0;
        if (length > capacity >>> 1) {
            return null;
        }
        while (maxBlocks != 0 && count != 0 && (count >= maxBlocks || capacity - (tail - head) < gap + length)) {
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

    /** Adds the block that was written to the reserved room. */
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
     * Writes blocks to a channel and removes them, up to a position that {@link #tail()} has returned.
     *
     * @throws IOException if they cannot be written; blocks written before are removed
     */
    void drain(WritableByteChannel out, long end) throws IOException {
        ByteBuffer view = memory.duplicate();
        while (head < end) {
            skipGap();
            long stop = Math.min(end, head + capacity - at(head));
            // write all blocks up to a gap at once
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
            count -= maxBlocks == 0 ? 0 : blocks;
            head = next;
        }
    }
}
