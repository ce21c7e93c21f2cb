package io.jverbs.strict.tracking;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.jverbs.Access;
import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/** A memory region, with checksums of its contents. Thread-safe. */
public final class Region {
    /**
     * The checksum of memory that cannot be read: its arena is closed or confined to another thread, or its file was
     * truncated.
     */
    static final long UNKNOWN = -1;
    /** Access flags that let a peer write to the region, directly or through a memory window. */
    private static final int WRITABLE_BY_OTHERS = Access.REMOTE_WRITE | Access.REMOTE_ATOMIC | Access.MW_BIND;
    /** How many bytes are copied at a time. */
    private static final int CHUNK = 1 << 14;

    private final MemorySegment segment;
    private final long address;
    private final boolean shared;
    /** Whether it was deregistered. Guarded by this. */
    private boolean ended;

    /**
     * Creates a region.
     *
     * @param segment the registered memory
     * @param address the address by which requests name its first byte (IOVA)
     * @param access the flags of {@link Access}
     */
    public Region(MemorySegment segment, long address, int access) {
        this.segment = segment;
        this.address = address;
        this.shared = (access & WRITABLE_BY_OTHERS) != 0;
    }

    /** {@return whether a peer may write to it} */
    public boolean isShared() {
        return shared;
    }

    /** {@return the registered memory} */
    public MemorySegment segment() {
        return segment;
    }

    /** Whether a range, by the addresses that requests use, lies within the region. */
    boolean contains(long from, long length) {
        return Long.compareUnsigned(from, address) >= 0 && length <= segment.byteSize()
                && Long.compareUnsigned(from - address, segment.byteSize() - length) <= 0;
    }

    /** The native address of the memory that requests name by an address. */
    long nativeAddress(long from) {
        return segment.address() + (from - address);
    }

    /** Records that it was deregistered. Its memory is not accessed after this returns. */
    public synchronized void end() {
        ended = true;
    }

    /**
     * The CRC-32C of a range within the region; {@link #UNKNOWN} if it cannot be read. The range is copied in chunks
     * before the checksum: computed on the memory itself, it would crash the JVM if the mapped file is truncated
     * meanwhile, and would keep the arena from being closed.
     */
    long sum(long from, long length) {
        try {
            byte[] copy = new byte[(int) Math.min(CHUNK, length)];
            CRC32C sum = new CRC32C();
            long offset = from - address;
            long end = offset + length;
            for (long at = offset; at < end; at += copy.length) {
                int bytes = (int) Math.min(copy.length, end - at);
                if (!isCopied(at, copy, bytes)) {
                    return UNKNOWN;
                }
                sum.update(copy, 0, bytes);
            }
            return sum.getValue();
        } catch (RuntimeException | VirtualMachineError unreadable) {
            return UNKNOWN;
        }
    }

    private synchronized boolean isCopied(long from, byte[] to, int bytes) {
        if (ended) {
            return false;
        }
        boolean interrupted = Thread.currentThread().isInterrupted();
        try {
            MemorySegment.copy(segment, JAVA_BYTE, from, to, 0, bytes);
            // compiled code continues after an access to truncated memory; HotSpot throws the InternalError when a
            // native method returns, at the latest; holdsLock is native
            return Thread.holdsLock(this);
        } finally {
            if (!interrupted && !segment.scope().isAlive()) {
                // closing a shared arena interrupts threads that are about to access its memory
                Thread.interrupted();
            }
        }
    }

    /** Whether the checksum of a range differs from an earlier one; false if either is unknown. */
    boolean isChanged(long from, long length, long before) {
        if (before == UNKNOWN) {
            return false;
        }
        long now = sum(from, length);
        return now != UNKNOWN && now != before;
    }
}
