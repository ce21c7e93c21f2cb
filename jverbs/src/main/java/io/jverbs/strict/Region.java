package io.jverbs.strict;

import io.jverbs.Access;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.zip.CRC32C;

/** Registered memory. */
final class Region {
    /** With such rights somebody else may write to it, now or through a window. */
    private static final int WRITABLE_BY_OTHERS = Access.REMOTE_WRITE | Access.REMOTE_ATOMIC | Access.MW_BIND;
    /** What one look at the memory takes: buffers are no longer than an int tells. */
    private static final long PIECE = 1 << 30;

    private final MemorySegment segment;
    private final long address;
    private final boolean shared;
    /** Written by who ends it, so that nobody reads the memory any more once that is done. */
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private boolean ended;

    Region(MemorySegment segment, long address, int access) {
        this.segment = segment;
        this.address = address;
        this.shared = (access & WRITABLE_BY_OTHERS) != 0;
    }

    /** Whether others than the program may write to it. */
    boolean isShared() {
        return shared;
    }

    /** Where the memory itself is. */
    MemorySegment segment() {
        return segment;
    }

    /** Whether requests that name a range name memory of this region. */
    boolean contains(long from, long length) {
        return Long.compareUnsigned(from, address) >= 0 && length <= segment.byteSize()
                && Long.compareUnsigned(from - address, segment.byteSize() - length) <= 0;
    }

    /** Where the memory is that requests name so. */
    long nativeAddress(long from) {
        return segment.address() + (from - address);
    }

    /** It is deregistered; its memory is not touched after this. */
    void end() {
        lock.writeLock().lock();
        try {
            ended = true;
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Sums a range that lies within. */
    long sum(long from, long length) {
        lock.readLock().lock();
        try {
            return ended ? 0 : sumOfMemory(from - address, length);
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Whether a range has another sum than before; false if nobody can tell any more. */
    boolean isChanged(long from, long length, long before) {
        lock.readLock().lock();
        try {
            return !ended && sumOfMemory(from - address, length) != before;
        } finally {
            lock.readLock().unlock();
        }
    }

    private long sumOfMemory(long offset, long length) {
        CRC32C sum = new CRC32C();
        try {
            long end = offset + length;
            for (long at = offset; at < end; at += PIECE) {
                sum.update(segment.asSlice(at, Math.min(PIECE, end - at)).asByteBuffer());
            }
        } catch (IllegalStateException | InternalError gone) {
            // the arena is closed, or the file behind the memory is shorter now
            sum.update(0);
        }
        return sum.getValue();
    }
}
