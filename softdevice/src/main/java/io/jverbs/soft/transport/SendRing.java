package io.jverbs.soft.transport;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.AddressHandle;
import io.jverbs.MemoryRegion;
import io.jverbs.MwType;
import io.jverbs.QpCapabilities;
import io.jverbs.QpType;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.soft.queue.ErrnoCode;
import io.jverbs.soft.queue.Words;
import io.jverbs.spi.SendWrLayout;
import io.jverbs.spi.SgeLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The send queue's memory: a ring of requests, copied from {@code ibv_send_wr} when posted, inline payload included. A
 * slot holds the words of the structure as they are. Guarded by the requester's lock.
 */
final class SendRing {
    private static final int WR_ID = 0;
    /** num_sge, opcode. */
    private static final int COUNT_OPCODE = 1;
    /** send_flags, imm_data or invalidate_rkey. */
    private static final int FLAGS_IMMEDIATE = 2;
    /** The remote address; of a bind the window's start. */
    private static final int REMOTE = 3;
    /** The remote key; of an atomic the value to compare with or add; of a datagram QPN and Q_Key; of a bind key and access bits. */
    private static final int SECOND = 4;
    /** The value to swap in; of a bind the window's length. */
    private static final int THIRD = 5;
    /** The remote key of an atomic; the length of an inline payload. */
    private static final int FOURTH = 6;
    private static final int HEADER = 7;

    private final int legal;
    private final boolean datagram;
    private final int maxSge;
    private final int maxInline;
    private final int stride;
    private final int mask;
    private final long[] slots;
    /** Per slot what a request names by reference: the path of a datagram; window and region of a bind. */
    private Object[] named;
    private MemorySegment inline;
    private long posted;
    private long done;

    SendRing(QpType type, QpCapabilities sizes) {
        legal = Opcode.legalFor(type);
        datagram = type == QpType.UD;
        maxSge = sizes.maxSendSge();
        maxInline = sizes.maxInlineData();
        stride = HEADER + 2 * maxSge;
        mask = sizes.maxSendWr() - 1;
        slots = new long[sizes.maxSendWr() * stride];
    }

    boolean isEmpty() {
        return done == posted;
    }

    /** How many requests there are. */
    int count() {
        return (int) (posted - done);
    }

    private boolean isFull() {
        return posted - done > mask;
    }

    /** Adds a copy of a request; returns 0 or an errno, and then has added nothing. */
    int append(SendWorkRequest request, boolean readsAllowed) {
        MemorySegment memory = request.memory();
        long countOpcode = memory.get(JAVA_LONG, SendWrLayout.NUM_SGE);
        int count = Words.first(countOpcode);
        int opcode = Words.second(countOpcode);
        if (!Opcode.isLegal(legal, opcode) || count > maxSge || Opcode.isResponding(opcode) && !readsAllowed) {
            return ErrnoCode.EINVAL;
        }
        if (isFull()) {
            return ErrnoCode.ENOMEM;
        }
        int slot = (int) posted & mask;
        int at = slot * stride;
        long flagsImmediate = memory.get(JAVA_LONG, SendWrLayout.SEND_FLAGS);
        slots[at + WR_ID] = memory.get(JAVA_LONG, SendWrLayout.WR_ID);
        slots[at + COUNT_OPCODE] = countOpcode;
        slots[at + FLAGS_IMMEDIATE] = flagsImmediate;
        slots[at + REMOTE] = memory.get(JAVA_LONG, SendWrLayout.REMOTE_ADDR);
        slots[at + SECOND] = memory.get(JAVA_LONG, SendWrLayout.RDMA_RKEY);
        if (Opcode.isAtomic(opcode)) {
            slots[at + THIRD] = memory.get(JAVA_LONG, SendWrLayout.ATOMIC_SWAP);
            slots[at + FOURTH] = memory.get(JAVA_LONG, SendWrLayout.ATOMIC_RKEY);
        }
        if (datagram || opcode == Opcode.BIND_MW) {
            int errno = copyNames(request, slot, at);
            if (errno != 0) {
                return errno;
            }
        }
        if ((Words.first(flagsImmediate) & SendFlags.INLINE) == 0) {
            copyElements(memory, count, at + HEADER);
        } else {
            int errno = copyInline(request, opcode, count, slot, at);
            if (errno != 0) {
                return errno;
            }
        }
        posted++;
        return 0;
    }

    private void copyElements(MemorySegment memory, int count, int to) {
        if (count == 1) {
            slots[to] = memory.get(JAVA_LONG, SendWrLayout.SIZE + SgeLayout.ADDR);
            slots[to + 1] = memory.get(JAVA_LONG, SendWrLayout.SIZE + SgeLayout.LENGTH);
            return;
        }
        for (int i = 0; i < 2 * count; i++) {
            slots[to + i] = memory.get(JAVA_LONG, SendWrLayout.SIZE + i * Long.BYTES);
        }
    }

    /** Keeps what a datagram or a bind names by reference. */
    private int copyNames(SendWorkRequest request, int slot, int at) {
        if (datagram) {
            AddressHandle path = request.addressHandle();
            if (path == null) {
                return ErrnoCode.EINVAL;
            }
            name(slot, path.handle(), null);
            return 0;
        }
        if (request.memoryWindow() == null || request.memoryWindow().type() != MwType.TYPE_2) {
            return ErrnoCode.EINVAL;
        }
        MemorySegment memory = request.memory();
        MemoryRegion region = request.bindRegion();
        putBind(slot, at, request.memoryWindow().handle(), region == null ? null : region.handle(),
                Words.first(memory.get(JAVA_LONG, SendWrLayout.BIND_RKEY)),
                memory.get(JAVA_LONG, SendWrLayout.BIND_ADDR), memory.get(JAVA_LONG, SendWrLayout.BIND_LENGTH),
                Words.first(memory.get(JAVA_LONG, SendWrLayout.BIND_ACCESS)));
        return 0;
    }

    private void putBind(int slot, int at, Object window, Object region, int key, long address, long length,
            int access) {
        name(slot, window, region);
        slots[at + REMOTE] = address;
        slots[at + SECOND] = Words.of(key, access);
        slots[at + THIRD] = length;
    }

    /** Captures the payload; an element given by raw address cannot be followed, as this device touches no raw memory. */
    private int copyInline(SendWorkRequest request, int opcode, int count, int slot, int at) {
        if (!Opcode.mayBeInline(opcode)) {
            return ErrnoCode.EINVAL;
        }
        MemorySegment memory = request.memory();
        long length = 0;
        for (int i = 0; i < count; i++) {
            long piece = lengthOf(memory, i);
            length += piece;
            if (piece != 0 && request.named(i) == null) {
                return ErrnoCode.EINVAL;
            }
        }
        if (length > maxInline) {
            return ErrnoCode.EINVAL;
        }
        if (inline == null) {
            inline = Arena.ofAuto().allocate(Math.max(1L, (long) (mask + 1) * maxInline), Long.BYTES);
        }
        slots[at + FOURTH] = length;
        return captureInline(request, count, (long) slot * maxInline);
    }

    private int captureInline(SendWorkRequest request, int count, long start) {
        MemorySegment memory = request.memory();
        long to = start;
        for (int i = 0; i < count; i++) {
            long piece = lengthOf(memory, i);
            if (piece != 0) {
                long address = memory.get(JAVA_LONG, SendWrLayout.SIZE + i * SgeLayout.SIZE + SgeLayout.ADDR);
                try {
                    copyNamed(request.named(i), address, to, piece);
                } catch (IllegalStateException | IndexOutOfBoundsException | WrongThreadException e) {
                    // closed meanwhile, re-registered elsewhere, or another thread's
                    return ErrnoCode.EFAULT;
                }
                to += piece;
            }
        }
        return 0;
    }

    private static long lengthOf(MemorySegment memory, int element) {
        return Words.firstUnsigned(
                memory.get(JAVA_LONG, SendWrLayout.SIZE + element * SgeLayout.SIZE + SgeLayout.LENGTH));
    }

    private void copyNamed(Object source, long address, long to, long length) {
        if (source instanceof MemoryRegion region) {
            MemorySegment.copy(region.segment(), address - region.address(), inline, to, length);
        } else {
            MemorySegment.copy((MemorySegment) source, 0, inline, to, length);
        }
    }

    /** Adds the bind of a type 1 window; returns 0 or an errno, and then has added nothing. */
    int appendBind(long wrId, int flags, Object window, Object region, int key, long address, long length, int access) {
        if (isFull()) {
            return ErrnoCode.ENOMEM;
        }
        int slot = (int) posted & mask;
        int at = slot * stride;
        slots[at + WR_ID] = wrId;
        slots[at + COUNT_OPCODE] = Words.of(0, Opcode.BIND_MW);
        slots[at + FLAGS_IMMEDIATE] = Words.of(flags & ~SendFlags.INLINE, 0);
        putBind(slot, at, window, region, key, address, length, access);
        posted++;
        return 0;
    }

    private void name(int slot, Object first, Object second) {
        if (named == null) {
            named = new Object[2 * (mask + 1)];
        }
        if (named[2 * slot] != first) {
            named[2 * slot] = first;
        }
        named[2 * slot + 1] = second;
    }

    /** Where the oldest request that is not done lies: what the methods below read. */
    int oldest() {
        return ((int) done & mask) * stride;
    }

    /** How many requests fit. */
    int slots() {
        return mask + 1;
    }

    /** The position of the oldest request that is not done; positions count up for ever. */
    long first() {
        return done;
    }

    /** The position behind the latest request. */
    long end() {
        return posted;
    }

    /** Where the request at a position lies: what the methods below read. */
    int place(long position) {
        return ((int) position & mask) * stride;
    }

    long wrId(int at) {
        return slots[at + WR_ID];
    }

    int opcode(int at) {
        return Words.second(slots[at + COUNT_OPCODE]);
    }

    int sgeCount(int at) {
        return Words.first(slots[at + COUNT_OPCODE]);
    }

    int flags(int at) {
        return Words.first(slots[at + FLAGS_IMMEDIATE]);
    }

    int immediate(int at) {
        return Words.second(slots[at + FLAGS_IMMEDIATE]);
    }

    long remoteAddress(int at) {
        return slots[at + REMOTE];
    }

    int rkey(int at) {
        return Words.first(slots[at + SECOND]);
    }

    int atomicRkey(int at) {
        return Words.first(slots[at + FOURTH]);
    }

    long compareAdd(int at) {
        return slots[at + SECOND];
    }

    long swap(int at) {
        return slots[at + THIRD];
    }

    int remoteQpn(int at) {
        return Words.first(slots[at + SECOND]);
    }

    int remoteQkey(int at) {
        return Words.second(slots[at + SECOND]);
    }

    long inlineLength(int at) {
        return slots[at + FOURTH];
    }

    long[] elements() {
        return slots;
    }

    int firstElement(int at) {
        return at + HEADER;
    }

    /** The start of a bind's window. */
    long bindAddress(int at) {
        return slots[at + REMOTE];
    }

    int bindKey(int at) {
        return Words.first(slots[at + SECOND]);
    }

    int bindAccess(int at) {
        return Words.second(slots[at + SECOND]);
    }

    long bindLength(int at) {
        return slots[at + THIRD];
    }

    /** What the oldest request names first: the path of a datagram, the window of a bind. */
    Object firstNamed() {
        return named[2 * ((int) done & mask)];
    }

    /** What the oldest request names second: the region of a bind. */
    Object secondNamed() {
        return named[2 * ((int) done & mask) + 1];
    }

    /** What a request names first: the path of a datagram. */
    Object firstNamed(int at) {
        return named[2 * (at / stride)];
    }

    MemorySegment inlineMemory() {
        return inline;
    }

    /** Where the oldest request's inline payload is. */
    long inlineOffset() {
        return (long) ((int) done & mask) * maxInline;
    }

    /** Where a request's inline payload is. */
    long inlineOffset(int at) {
        return (long) (at / stride) * maxInline;
    }

    /** Frees the oldest request's place. */
    void finish() {
        if (named != null && !datagram) {
            name((int) done & mask, null, null);
        }
        done++;
    }

    /** Drops everything. */
    void clear() {
        done = posted;
        if (named != null) {
            Arrays.fill(named, null);
        }
    }
}
