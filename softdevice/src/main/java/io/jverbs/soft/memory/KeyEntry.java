package io.jverbs.soft.memory;

import io.jverbs.Access;
import java.lang.foreign.MemorySegment;

/**
 * What a key stands for at a moment: a region, or a window that is bound. It does not change; another entry takes its place in
 * the table, and then this one is revoked.
 */
public final class KeyEntry implements DirectTable.Numbered {
    /** No queue pair: any of the protection domain may use the key. */
    static final int ANY_QP = -1;

    private final int key;
    private final Domain domain;
    private final int access;
    private final long base;
    private final long length;
    private final long segmentOffset;
    private final int qpNumber;
    private final boolean window;
    private MemorySegment segment;
    private volatile boolean revoked;

    private KeyEntry(int key, Domain domain, int access, long base, long length, MemorySegment segment,
            long segmentOffset, int qpNumber, boolean window) {
        this.key = key;
        this.domain = domain;
        this.access = access;
        this.base = base;
        this.length = length;
        this.segment = segment;
        this.segmentOffset = segmentOffset;
        this.qpNumber = qpNumber;
        this.window = window;
    }

    /** A region. */
    static KeyEntry region(int key, Domain domain, int access, long base, MemorySegment segment) {
        return new KeyEntry(key, domain, access, base, segment.byteSize(), segment, 0, ANY_QP, false);
    }

    /** A window onto part of a region, for one queue pair or for {@link #ANY_QP}. */
    static KeyEntry window(int key, KeyEntry region, int access, long address, long length, int qpNumber) {
        long base = (access & Access.ZERO_BASED) != 0 ? 0 : address;
        return new KeyEntry(key, region.domain, access, base, length, region.segment, region.offsetOf(address),
                qpNumber,
                true);
    }

    /** A window that is bound to nothing and allows nothing: its domain is nobody's. */
    static KeyEntry unbound(int key) {
        return new KeyEntry(key, null, 0, 0, 0, MemorySegment.NULL, 0, ANY_QP, true);
    }

    /** What no key stands for. */
    static KeyEntry revoked() {
        KeyEntry entry = unbound(0);
        entry.revoke();
        return entry;
    }

    /** Says that the key stands for this no more, to those who have found it and know it yet. */
    void revoke() {
        revoked = true;
    }

    /** {@return whether the key stands for something else by now} */
    boolean isRevoked() {
        return revoked;
    }

    /** Lets go of the memory, as nobody can be using it: who knows the entry yet must not keep memory from being freed. */
    void forgetMemory() {
        segment = MemorySegment.NULL;
    }

    @Override
    public int number() {
        return key >>> Byte.SIZE;
    }

    /** {@return the whole key} */
    public int key() {
        return key;
    }

    /**
     * {@return whether the key may be used so}
     *
     * @param user the protection domain of who uses it
     * @param needed access bits that must all be granted
     * @param qp the number of the queue pair that uses it
     */
    public boolean allows(Domain user, int needed, int qp) {
        return domain == user && (access & needed) == needed && (qpNumber == ANY_QP || qpNumber == qp);
    }

    /**
     * {@return whether an element of a local request may use the key: a region's it may, a window has no local key}
     *
     * @param user the protection domain of who uses it
     * @param needed access bits that must all be granted
     */
    public boolean allowsLocal(Domain user, int needed) {
        return !window && allows(user, needed, ANY_QP);
    }

    /**
     * {@return whether a range lies within; no sum can wrap}
     *
     * @param address unsigned
     * @param bytes not negative
     */
    public boolean contains(long address, long bytes) {
        long offset = address - base;
        return offset >= 0 && bytes <= length - offset;
    }

    /** {@return the memory} */
    public MemorySegment segment() {
        return segment;
    }

    /**
     * {@return where an address lies in the segment}
     *
     * @param address an address within
     */
    public long offsetOf(long address) {
        return address - base + segmentOffset;
    }

    long base() {
        return base;
    }

    int access() {
        return access;
    }

    Domain domain() {
        return domain;
    }
}
