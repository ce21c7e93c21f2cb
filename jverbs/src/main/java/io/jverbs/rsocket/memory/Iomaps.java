package io.jverbs.rsocket.memory;

import io.jverbs.Access;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.rsocket.protocol.IomapEntry;
import io.jverbs.rsocket.protocol.ProtocolViolation;
import io.jverbs.rsocket.protocol.RemoteSge;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The iomaps of both sides; see riomap in rsocket(7). The target iomap of this side has the buffers that the peer has
 * mapped, and this side can write them. The buffers that this side maps have a place in the target iomap of the peer.
 */
public final class Iomaps {
    /** The entries of the target iomap, after their messages have arrived; null before. */
    private final AtomicReferenceArray<IomapEntry> targets;
    private final StreamMemory memory;
    /** Guards the fields below. */
    private final ReentrantLock lock = new ReentrantLock();
    private MemoryRegion[] mapped = {};
    private long[] offsets = {};
    /** The entries whose messages are not sent yet, oldest first. */
    private final ArrayDeque<Integer> unsent = new ArrayDeque<>();
    private boolean closed;
    private volatile boolean hasUnsent;

    /**
     * Creates them.
     *
     * @param memory the memory, which contains the target iomap of this side
     * @param targetSize the number of its entries
     */
    public Iomaps(StreamMemory memory, int targetSize) {
        this.memory = memory;
        this.targets = new AtomicReferenceArray<>(targetSize);
    }

    /**
     * Sets how many buffers this side can map.
     *
     * @param size the size of the target iomap of the peer
     */
    public void peer(int size) {
        mapped = new MemoryRegion[size];
        offsets = new long[size];
    }

    /**
     * Takes an entry that the peer has written.
     *
     * @param index the value of its message
     * @throws ProtocolViolation if there is no such entry, or it is none that a peer can map
     */
    public void arrived(int index) {
        if (index >= targets.length()) {
            throw new ProtocolViolation("the peer mapped a buffer with index " + index + "; it must be less than "
                    + targets.length() + ", the number of entries of the target iomap");
        }
        IomapEntry entry = memory.iomapEntry(index);
        long length = Integer.toUnsignedLong(entry.memory().length());
        if (length == 0 || entry.offset() + length < entry.offset()) {
            throw new ProtocolViolation("the peer mapped " + length + " bytes at offset " + entry.offset()
                    + "; allowed is at least 1 byte, up to offset 2^63 - 1");
        }
        RemoteSge.requireInAddressSpace("mapped buffer", entry.memory().address(), length);
        targets.set(index, entry);
    }

    /**
     * {@return the entry with an offset; null if the peer has mapped none}
     *
     * @param offset the offset
     */
    public IomapEntry find(long offset) {
        for (int i = 0; i < targets.length(); i++) {
            IomapEntry entry = targets.get(i);
            if (entry != null && entry.remaining(offset) > 0) {
                return entry;
            }
        }
        return null;
    }

    /**
     * Registers a buffer.
     *
     * @param pd the protection domain
     * @param buffer the buffer
     * @param offset the offset of its first byte
     * @return its region, or null if there was no entry left for it
     * @throws IllegalStateException if the stream is closed
     */
    public MemoryRegion map(ProtectionDomain pd, MemorySegment buffer, long offset) {
        lock.lock();
        try {
            requireOpen();
            int index = 0;
            while (index < mapped.length && mapped[index] != null) {
                index++;
            }
            if (index == mapped.length) {
                return null;
            }
            unsent.add(index);
            boolean isDone = false;
            try {
                mapped[index] = pd.registerMemory(buffer, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
                offsets[index] = offset;
                isDone = true;
            } finally {
                if (!isDone) {
                    unsent.removeLast();
                }
            }
            hasUnsent = true;
            return mapped[index];
        } finally {
            lock.unlock();
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the stream is closed");
        }
    }

    /**
     * Deregisters a buffer.
     *
     * @param buffer the buffer
     * @return whether it was mapped
     * @throws IllegalStateException if the stream is closed
     */
    public boolean unmap(MemorySegment buffer) {
        lock.lock();
        try {
            requireOpen();
            for (int i = 0; i < mapped.length; i++) {
                if (mapped[i] != null && mapped[i].segment().address() == buffer.address()
                        && mapped[i].length() == buffer.byteSize()) {
                    unmap(i);
                    return true;
                }
            }
            return false;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Deregisters a buffer, unless that was done.
     *
     * @param region its region
     */
    public void unmap(MemoryRegion region) {
        lock.lock();
        try {
            for (int i = 0; i < mapped.length; i++) {
                if (mapped[i] == region) {
                    unmap(i);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private void unmap(int index) {
        // after a failure here, the buffer is still mapped
        unsent.remove(Integer.valueOf(index));
        hasUnsent = !unsent.isEmpty();
        mapped[index].close();
        mapped[index] = null;
    }

    /** {@return whether the peer does not know all buffers yet} */
    public boolean hasUnsent() {
        return hasUnsent;
    }

    /**
     * Writes the entry that is to be sent next, and takes it from those that are not sent: the caller posts its message
     * or fails the stream.
     *
     * @param into where the entry goes
     * @return its index, or -1 if there is none
     */
    public int takeNext(ByteBuffer into) {
        lock.lock();
        try {
            Integer index = unsent.poll();
            hasUnsent = !unsent.isEmpty();
            if (index == null) {
                return -1;
            }
            MemoryRegion region = mapped[index];
            new IomapEntry(offsets[index], new RemoteSge(region.address(), region.rkey(), (int) region.length()))
                    .put(into);
            return index;
        } finally {
            lock.unlock();
        }
    }

    /** Deregisters all buffers, and refuses others. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            for (int i = 0; i < mapped.length; i++) {
                if (mapped[i] != null) {
                    mapped[i].close();
                    mapped[i] = null;
                }
            }
            unsent.clear();
            hasUnsent = false;
        } finally {
            lock.unlock();
        }
    }
}
