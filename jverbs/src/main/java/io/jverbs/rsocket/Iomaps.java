package io.jverbs.rsocket;

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
final class Iomaps {
    /** The entries of the target iomap, after their messages have arrived; null before. */
    private final AtomicReferenceArray<IomapEntry> targets;
    private final StreamMemory memory;
    /** Guards the fields below. */
    private final ReentrantLock lock = new ReentrantLock();
    private MemoryRegion[] mapped = {};
    private long[] offsets = {};
    /** The entries whose messages are not sent yet, oldest first. */
    private final ArrayDeque<Integer> unsent = new ArrayDeque<>();
    private volatile boolean hasUnsent;

    Iomaps(StreamMemory memory, int targetSize) {
        this.memory = memory;
        this.targets = new AtomicReferenceArray<>(targetSize);
    }

    /** Sets how many buffers this side can map: the size of the target iomap of the peer. */
    void peer(int size) {
        mapped = new MemoryRegion[size];
        offsets = new long[size];
    }

    /**
     * Takes an entry that the peer has written.
     *
     * @param index the value of its message
     * @throws ProtocolViolation if there is no such entry, or it is none that a peer can map
     */
    void arrived(int index) {
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

    /** Returns the entry with an offset; null if the peer has mapped none. */
    IomapEntry find(long offset) {
        for (int i = 0; i < targets.length(); i++) {
            IomapEntry entry = targets.get(i);
            if (entry != null && entry.remaining(offset) > 0) {
                return entry;
            }
        }
        return null;
    }

    /** Registers a buffer; returns whether there was an entry left for it. */
    boolean map(ProtectionDomain pd, MemorySegment buffer, long offset) {
        lock.lock();
        try {
            int index = 0;
            while (index < mapped.length && mapped[index] != null) {
                index++;
            }
            if (index == mapped.length) {
                return false;
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
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Deregisters a buffer; returns whether it was mapped. */
    boolean unmap(MemorySegment buffer) {
        lock.lock();
        try {
            for (int i = 0; i < mapped.length; i++) {
                if (mapped[i] != null && mapped[i].segment().address() == buffer.address()
                        && mapped[i].length() == buffer.byteSize()) {
                    mapped[i].close();
                    mapped[i] = null;
                    unsent.remove(Integer.valueOf(i));
                    hasUnsent = !unsent.isEmpty();
                    return true;
                }
            }
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the peer does not know all buffers yet. */
    boolean hasUnsent() {
        return hasUnsent;
    }

    /** Writes the entry that is to be sent next; returns its index, or -1 if there is none. */
    int writeNext(ByteBuffer into) {
        lock.lock();
        try {
            Integer index = unsent.peek();
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

    /** Notes that an entry was sent. */
    void sent(int index) {
        lock.lock();
        try {
            unsent.remove(Integer.valueOf(index));
            hasUnsent = !unsent.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Deregisters all buffers. */
    void close() {
        lock.lock();
        try {
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
