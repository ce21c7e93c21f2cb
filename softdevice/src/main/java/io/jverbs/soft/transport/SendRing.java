package io.jverbs.soft.transport;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.AddressHandle;
import io.jverbs.MemoryRegion;
import io.jverbs.MemoryWindow;
import io.jverbs.MwType;
import io.jverbs.QpCapabilities;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.soft.memory.InlineData;
import io.jverbs.soft.memory.SoftMr;
import io.jverbs.soft.memory.SoftMw;
import io.jverbs.soft.protocol.WrOpcodeCode;
import io.jverbs.soft.queue.CompletionQueueCore;
import io.jverbs.soft.queue.ErrnoCode;
import io.jverbs.soft.queue.SendSlots;
import io.jverbs.soft.queue.Words;
import io.jverbs.spi.SendWrLayout;
import io.jverbs.spi.SgeLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The send queue: a ring of work requests, which are copied from {@code ibv_send_wr} when they are posted, inline
 * payload included. A slot holds the words of the structure unchanged. The superclass decides which slots are free. The
 * requester is a subclass, so that a request touches fewer cache lines.
 * Guarded by the requester's lock.
 */
public sealed class SendRing extends SendSlots permits Requester {
    private static final int WR_ID = 0;
    /** {@code num_sge} and {@code opcode}. */
    private static final int COUNT_OPCODE = 1;
    /** {@code send_flags}, and {@code imm_data} or {@code invalidate_rkey}. */
    private static final int FLAGS_IMMEDIATE = 2;
    /** The remote address; for a bind, the start of the window. */
    private static final int REMOTE = 3;
    /**
     * The rkey; for an atomic, the value to compare with or to add; for a datagram, QPN and Q_Key; for a bind, the key
     * and the access bits.
     */
    private static final int SECOND = 4;
    /** The value to swap in; for a bind, the length of the window. */
    private static final int THIRD = 5;
    /** The rkey of an atomic; the length of an inline payload. */
    private static final int FOURTH = 6;
    private static final int HEADER = 7;

    private final int legal;
    private final boolean datagram;
    private final int maxSge;
    private final int maxInline;
    private final int stride;
    private long[] slots;
    /**
     * For each slot, the two objects that a request refers to: the path of a datagram; the window and the region of a
     * bind. Null until first needed.
     */
    private Object[] named;
    /** The inline payloads; null until first needed. */
    private MemorySegment inline;

    SendRing(ServiceType service, QpCapabilities sizes, CompletionQueueCore sendCq) {
        super(sizes.maxSendWr(), sendCq);
        legal = service.legalOperations();
        datagram = !service.isConnected();
        maxSge = sizes.maxSendSge();
        maxInline = sizes.maxInlineData();
        stride = HEADER + 2 * maxSge;
    }

    @Override
    protected void allocate() {
        super.allocate();
        slots = new long[slots() * stride];
    }

    /** Adds a copy of a request. Returns 0, or an errno if nothing was added. */
    int append(SendWorkRequest request, boolean readsAllowed) {
        MemorySegment memory = request.memory();
        long countOpcode = memory.get(JAVA_LONG, SendWrLayout.NUM_SGE);
        int count = Words.first(countOpcode);
        int opcode = Words.second(countOpcode);
        if (!WrOpcodeCode.isLegal(legal, opcode) || count > maxSge
                || WrOpcodeCode.isReadOrAtomic(opcode) && !readsAllowed) {
            return ErrnoCode.EINVAL;
        }
        if (!hasRoom()) {
            return ErrnoCode.ENOMEM;
        }
        int slot = slot(end());
        int at = slot * stride;
        long flagsImmediate = memory.get(JAVA_LONG, SendWrLayout.SEND_FLAGS);
        slots[at + WR_ID] = memory.get(JAVA_LONG, SendWrLayout.WR_ID);
        slots[at + COUNT_OPCODE] = countOpcode;
        slots[at + FLAGS_IMMEDIATE] = flagsImmediate;
        slots[at + REMOTE] = memory.get(JAVA_LONG, SendWrLayout.REMOTE_ADDR);
        slots[at + SECOND] = memory.get(JAVA_LONG, SendWrLayout.RDMA_RKEY);
        if (WrOpcodeCode.isAtomic(opcode)) {
            slots[at + THIRD] = memory.get(JAVA_LONG, SendWrLayout.ATOMIC_SWAP);
            slots[at + FOURTH] = memory.get(JAVA_LONG, SendWrLayout.ATOMIC_RKEY);
        }
        if (datagram || opcode == WrOpcodeCode.BIND_MW) {
            int errno = copyReferences(request, slot, at);
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
        add();
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

    /** Keeps the objects that a datagram or a bind refers to; returns 0 or an errno. */
    private int copyReferences(SendWorkRequest request, int slot, int at) {
        if (datagram) {
            AddressHandle path = request.addressHandle();
            if (path == null || !(path.handle() instanceof SoftAh known)) {
                return ErrnoCode.EINVAL;
            }
            setNamed(slot, known, null);
            return 0;
        }
        MemoryWindow window = request.memoryWindow();
        MemoryRegion region = request.bindRegion();
        if (window == null || window.type() != MwType.TYPE_2 || !(window.handle() instanceof SoftMw)
                || region != null && !(region.handle() instanceof SoftMr)) {
            return ErrnoCode.EINVAL;
        }
        MemorySegment memory = request.memory();
        putBind(slot, at, window.handle(), region == null ? null : region.handle(),
                Words.first(memory.get(JAVA_LONG, SendWrLayout.BIND_RKEY)),
                memory.get(JAVA_LONG, SendWrLayout.BIND_ADDR), memory.get(JAVA_LONG, SendWrLayout.BIND_LENGTH),
                Words.first(memory.get(JAVA_LONG, SendWrLayout.BIND_ACCESS)));
        return 0;
    }

    private void putBind(int slot, int at, Object window, Object region, int key, long address, long length,
            int access) {
        setNamed(slot, window, region);
        slots[at + REMOTE] = address;
        slots[at + SECOND] = Words.of(key, access);
        slots[at + THIRD] = length;
    }

    /** Copies the inline payload; returns 0 or an errno. */
    private int copyInline(SendWorkRequest request, int opcode, int count, int slot, int at) {
        if (!WrOpcodeCode.mayBeInline(opcode)) {
            return ErrnoCode.EINVAL;
        }
        long length = InlineData.length(request, count);
        if (length == InlineData.INVALID || length > maxInline) {
            return ErrnoCode.EINVAL;
        }
        if (inline == null) {
            inline = Arena.ofAuto().allocate(Math.max(1L, (long) slots() * maxInline), Long.BYTES);
        }
        slots[at + FOURTH] = length;
        return InlineData.copy(request, count, inline, (long) slot * maxInline);
    }

    /** Adds the bind of a type 1 window. Returns 0, or an errno if nothing was added. */
    int appendBind(long wrId, int flags, Object window, Object region, int key, long address, long length, int access) {
        if (!hasRoom()) {
            return ErrnoCode.ENOMEM;
        }
        int slot = slot(end());
        int at = slot * stride;
        slots[at + WR_ID] = wrId;
        slots[at + COUNT_OPCODE] = Words.of(0, WrOpcodeCode.BIND_MW);
        slots[at + FLAGS_IMMEDIATE] = Words.of(flags & ~SendFlags.INLINE, 0);
        putBind(slot, at, window, region, key, address, length, access);
        add();
        return 0;
    }

    private void setNamed(int slot, Object first, Object second) {
        if (named == null) {
            named = new Object[2 * slots()];
        }
        if (named[2 * slot] != first) {
            named[2 * slot] = first;
        }
        named[2 * slot + 1] = second;
    }

    /** The index of the oldest request that is not done, as an argument for the methods below. */
    public int oldest() {
        return slot(first()) * stride;
    }

    /** The index of the request at a position, as an argument for the methods below. */
    public int place(long position) {
        return slot(position) * stride;
    }

    long wrId(int at) {
        return slots[at + WR_ID];
    }

    public int opcode(int at) {
        return Words.second(slots[at + COUNT_OPCODE]);
    }

    public int sgeCount(int at) {
        return Words.first(slots[at + COUNT_OPCODE]);
    }

    public int flags(int at) {
        return Words.first(slots[at + FLAGS_IMMEDIATE]);
    }

    public int immediate(int at) {
        return Words.second(slots[at + FLAGS_IMMEDIATE]);
    }

    public long remoteAddress(int at) {
        return slots[at + REMOTE];
    }

    public int rkey(int at) {
        return Words.first(slots[at + SECOND]);
    }

    public int atomicRkey(int at) {
        return Words.first(slots[at + FOURTH]);
    }

    public long compareAdd(int at) {
        return slots[at + SECOND];
    }

    public long swap(int at) {
        return slots[at + THIRD];
    }

    public int remoteQpn(int at) {
        return Words.first(slots[at + SECOND]);
    }

    public int remoteQkey(int at) {
        return Words.second(slots[at + SECOND]);
    }

    public long inlineLength(int at) {
        return slots[at + FOURTH];
    }

    /** The array that contains the scatter/gather elements of all requests, see {@link #firstElement}. */
    public long[] elements() {
        return slots;
    }

    /** The index in {@link #elements()} of the first word of a request's elements. */
    public int firstElement(int at) {
        return at + HEADER;
    }

    /** The start of the window that a bind defines. */
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

    /** The first object that the oldest request refers to: the path of a datagram, the window of a bind. */
    public Object firstNamed() {
        return named[2 * slot(first())];
    }

    /** The second object that the oldest request refers to: the region of a bind. */
    public Object secondNamed() {
        return named[2 * slot(first()) + 1];
    }

    /** The first object that a request refers to: the path of a datagram. */
    public Object firstNamed(int at) {
        return named[2 * (at / stride)];
    }

    public MemorySegment inlineMemory() {
        return inline;
    }

    /** The offset of the oldest request's inline payload in {@link #inlineMemory()}. */
    public long inlineOffset() {
        return (long) slot(first()) * maxInline;
    }

    /** The offset of a request's inline payload in {@link #inlineMemory()}. */
    public long inlineOffset(int at) {
        return (long) (at / stride) * maxInline;
    }

    /**
     * Marks the oldest request as done.
     *
     * @param completion the number of its completion, or {@link #NO_COMPLETION}
     */
    void finish(long completion) {
        if (named != null && !datagram) {
            setNamed(slot(first()), null, null);
        }
        finishOldest(completion);
    }

    /** Removes all requests. All slots are free then. */
    void removeRequests() {
        removeAll();
        if (named != null) {
            Arrays.fill(named, null);
        }
    }
}
