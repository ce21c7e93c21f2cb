package io.jverbs.soft.transport;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.AddressHandle;
import io.jverbs.MemoryRegion;
import io.jverbs.MwType;
import io.jverbs.QpCapabilities;
import io.jverbs.QpType;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.soft.queue.Elements;
import io.jverbs.soft.queue.ErrnoCode;
import io.jverbs.spi.SendWrLayout;
import io.jverbs.spi.SgeLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The send queue's memory: a ring of requests, copied from {@code ibv_send_wr} when posted, inline payload included. Guarded by
 * the requester's lock.
 */
final class SendRing {
    private static final int WR_ID = 0;
    private static final int OPCODE_FLAGS = 1;
    private static final int IMMEDIATE_COUNT = 2;
    /** The remote address; of a datagram the queue pair number below, the Q_Key above; of a bind the window's start. */
    private static final int REMOTE = 3;
    /** The remote key below, the inline length above; of a bind the new key below, the access bits above. */
    private static final int KEY = 4;
    /** The value to compare with or add; of a bind the window's length. */
    private static final int COMPARE_ADD = 5;
    private static final int SWAP = 6;
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

    private boolean isFull() {
        return posted - done > mask;
    }

    /** Adds a copy of a request; returns 0 or an errno, and then has added nothing. */
    int append(SendWorkRequest request, boolean readsAllowed) {
        MemorySegment memory = request.memory();
        int opcode = memory.get(JAVA_INT, SendWrLayout.OPCODE);
        int flags = memory.get(JAVA_INT, SendWrLayout.SEND_FLAGS);
        int count = memory.get(JAVA_INT, SendWrLayout.NUM_SGE);
        if (!Opcode.isLegal(legal, opcode) || count > maxSge || Opcode.isResponding(opcode) && !readsAllowed) {
            return ErrnoCode.EINVAL;
        }
        if (isFull()) {
            return ErrnoCode.ENOMEM;
        }
        int slot = (int) posted & mask;
        int at = slot * stride;
        slots[at + WR_ID] = memory.get(JAVA_LONG, SendWrLayout.WR_ID);
        slots[at + OPCODE_FLAGS] = opcode | (long) flags << 32;
        slots[at + IMMEDIATE_COUNT] = memory.get(JAVA_INT, SendWrLayout.IMM_DATA) & 0xFFFF_FFFFL | (long) count << 32;
        boolean plain = !datagram && opcode != Opcode.BIND_MW && (flags & SendFlags.INLINE) == 0;
        if (plain) {
            copyRemote(memory, opcode, at);
            copyElements(memory, count, at + HEADER);
        } else {
            int errno = appendSpecial(request, opcode, flags, slot, at);
            if (errno != 0) {
                return errno;
            }
        }
        posted++;
        return 0;
    }

    /** Copies what names something by reference or carries its payload along. */
    private int appendSpecial(SendWorkRequest request, int opcode, int flags, int slot, int at) {
        MemorySegment memory = request.memory();
        int errno = 0;
        if (datagram) {
            errno = copyDestination(request, slot, at);
        } else if (opcode == Opcode.BIND_MW) {
            errno = copyBind(request, slot, at);
        } else {
            copyRemote(memory, opcode, at);
        }
        int count = memory.get(JAVA_INT, SendWrLayout.NUM_SGE);
        if (errno == 0 && (flags & SendFlags.INLINE) != 0) {
            errno = copyInline(request, opcode, count, slot, at);
        } else {
            copyElements(memory, count, at + HEADER);
        }
        return errno;
    }

    private int copyDestination(SendWorkRequest request, int slot, int at) {
        AddressHandle path = request.addressHandle();
        if (path == null) {
            return ErrnoCode.EINVAL;
        }
        MemorySegment memory = request.memory();
        name(slot, path.handle(), null);
        slots[at + REMOTE] = memory.get(JAVA_INT, SendWrLayout.UD_REMOTE_QPN) & 0xFFFF_FFFFL
                | (long) memory.get(JAVA_INT, SendWrLayout.UD_REMOTE_QKEY) << 32;
        slots[at + KEY] = 0;
        return 0;
    }

    private void copyRemote(MemorySegment memory, int opcode, int at) {
        slots[at + REMOTE] = memory.get(JAVA_LONG, SendWrLayout.REMOTE_ADDR);
        if (Opcode.isAtomic(opcode)) {
            slots[at + KEY] = memory.get(JAVA_INT, SendWrLayout.ATOMIC_RKEY) & 0xFFFF_FFFFL;
            slots[at + COMPARE_ADD] = memory.get(JAVA_LONG, SendWrLayout.ATOMIC_COMPARE_ADD);
            slots[at + SWAP] = memory.get(JAVA_LONG, SendWrLayout.ATOMIC_SWAP);
        } else {
            slots[at + KEY] = memory.get(JAVA_INT, SendWrLayout.RDMA_RKEY) & 0xFFFF_FFFFL;
        }
    }

    private void copyElements(MemorySegment memory, int count, int to) {
        if (count == 1) {
            copyElement(memory, SendWrLayout.SIZE, to);
            return;
        }
        for (int i = 0; i < count; i++) {
            copyElement(memory, SendWrLayout.SIZE + i * SgeLayout.SIZE, to + 2 * i);
        }
    }

    private void copyElement(MemorySegment memory, long from, int to) {
        slots[to] = memory.get(JAVA_LONG, from + SgeLayout.ADDR);
        slots[to + 1] = Elements.pack(memory.get(JAVA_INT, from + SgeLayout.LENGTH),
                memory.get(JAVA_INT, from + SgeLayout.LKEY));
    }

    /** Captures the payload; an element given by raw address cannot be followed, as this device touches no raw memory. */
    private int copyInline(SendWorkRequest request, int opcode, int count, int slot, int at) {
        if (!Opcode.mayBeInline(opcode)) {
            return ErrnoCode.EINVAL;
        }
        MemorySegment memory = request.memory();
        long length = 0;
        for (int i = 0; i < count; i++) {
            length += lengthOf(memory, i);
            if (lengthOf(memory, i) != 0 && request.named(i) == null) {
                return ErrnoCode.EINVAL;
            }
        }
        if (length > maxInline) {
            return ErrnoCode.EINVAL;
        }
        if (inline == null) {
            inline = Arena.ofAuto().allocate(Math.max(1L, (long) (mask + 1) * maxInline), Long.BYTES);
        }
        long to = (long) slot * maxInline;
        for (int i = 0; i < count; i++) {
            long piece = lengthOf(memory, i);
            if (piece != 0) {
                copyNamed(request.named(i),
                        memory.get(JAVA_LONG, SendWrLayout.SIZE + i * SgeLayout.SIZE + SgeLayout.ADDR), to, piece);
                to += piece;
            }
        }
        slots[at + KEY] = slots[at + KEY] & 0xFFFF_FFFFL | length << 32;
        return 0;
    }

    private static long lengthOf(MemorySegment memory, int element) {
        return memory.get(JAVA_INT, SendWrLayout.SIZE + element * SgeLayout.SIZE + SgeLayout.LENGTH) & 0xFFFF_FFFFL;
    }

    private void copyNamed(Object source, long address, long to, long length) {
        if (source instanceof MemoryRegion region) {
            MemorySegment.copy(region.segment(), address - region.address(), inline, to, length);
        } else {
            MemorySegment.copy((MemorySegment) source, 0, inline, to, length);
        }
    }

    private int copyBind(SendWorkRequest request, int slot, int at) {
        if (request.memoryWindow() == null || request.memoryWindow().type() != MwType.TYPE_2) {
            return ErrnoCode.EINVAL;
        }
        MemorySegment memory = request.memory();
        MemoryRegion region = request.bindRegion();
        putBind(slot, at, request.memoryWindow().handle(), region == null ? null : region.handle(),
                memory.get(JAVA_INT, SendWrLayout.BIND_RKEY), memory.get(JAVA_LONG, SendWrLayout.BIND_ADDR),
                memory.get(JAVA_LONG, SendWrLayout.BIND_LENGTH), memory.get(JAVA_INT, SendWrLayout.BIND_ACCESS));
        return 0;
    }

    private void putBind(int slot, int at, Object window, Object region, int key, long address, long length,
            int access) {
        name(slot, window, region);
        slots[at + REMOTE] = address;
        slots[at + KEY] = key & 0xFFFF_FFFFL | (long) access << 32;
        slots[at + COMPARE_ADD] = length;
    }

    /** Adds the bind of a type 1 window; returns 0 or an errno, and then has added nothing. */
    int appendBind(long wrId, int flags, Object window, Object region, int key, long address, long length, int access) {
        if (isFull()) {
            return ErrnoCode.ENOMEM;
        }
        int slot = (int) posted & mask;
        int at = slot * stride;
        slots[at + WR_ID] = wrId;
        slots[at + OPCODE_FLAGS] = Opcode.BIND_MW | (long) (flags & ~SendFlags.INLINE) << 32;
        slots[at + IMMEDIATE_COUNT] = 0;
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

    long wrId(int at) {
        return slots[at + WR_ID];
    }

    int opcode(int at) {
        return (int) slots[at + OPCODE_FLAGS];
    }

    int flags(int at) {
        return (int) (slots[at + OPCODE_FLAGS] >>> 32);
    }

    int immediate(int at) {
        return (int) slots[at + IMMEDIATE_COUNT];
    }

    int sgeCount(int at) {
        return (int) (slots[at + IMMEDIATE_COUNT] >>> 32);
    }

    long remoteAddress(int at) {
        return slots[at + REMOTE];
    }

    int remoteQpn(int at) {
        return (int) slots[at + REMOTE];
    }

    int remoteQkey(int at) {
        return (int) (slots[at + REMOTE] >>> 32);
    }

    int rkey(int at) {
        return (int) slots[at + KEY];
    }

    int bindAccess(int at) {
        return (int) (slots[at + KEY] >>> 32);
    }

    long inlineLength(int at) {
        return slots[at + KEY] >>> 32;
    }

    long compareAdd(int at) {
        return slots[at + COMPARE_ADD];
    }

    long swap(int at) {
        return slots[at + SWAP];
    }

    long[] elements() {
        return slots;
    }

    int firstElement(int at) {
        return at + HEADER;
    }

    /** What the oldest request names first: the path of a datagram, the window of a bind. */
    Object firstNamed() {
        return named[2 * ((int) done & mask)];
    }

    /** What the oldest request names second: the region of a bind. */
    Object secondNamed() {
        return named[2 * ((int) done & mask) + 1];
    }

    MemorySegment inlineMemory() {
        return inline;
    }

    /** Where the oldest request's inline payload is. */
    long inlineOffset() {
        return (long) ((int) done & mask) * maxInline;
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
