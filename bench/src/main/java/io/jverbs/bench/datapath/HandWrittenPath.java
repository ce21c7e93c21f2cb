package io.jverbs.bench.datapath;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.spi.SendWrLayout;
import io.jverbs.spi.SgeLayout;
import io.jverbs.spi.WcLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The least that post_send and poll_cq of an RDMA WRITE can be in Java, as the baseline: a request read from its off-heap form,
 * keys, protection domain and bounds checked against an array of regions, one copy, a completion written into an off-heap ring
 * and copied out by the poll, one spin lock around each half. No queue pair, no protocol, no errors.
 */
public final class HandWrittenPath {
    /** Room for the regions of two buffers, and more. */
    public static final int FEW_REGIONS = 16;
    /** As many entries as the device's queue has: more would not stay in the first-level cache. */
    private static final int RING = 128;
    private static final VarHandle POST_LOCK;
    private static final VarHandle POLL_LOCK;
    private static final VarHandle PUT;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            POST_LOCK = lookup.findVarHandle(HandWrittenPath.class, "postLock", int.class);
            POLL_LOCK = lookup.findVarHandle(HandWrittenPath.class, "pollLock", int.class);
            PUT = lookup.findVarHandle(HandWrittenPath.class, "put", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    record Region(int key, Object domain, long base, long length, MemorySegment memory) {}

    private final Region[] regions;
    private final Object domain = new Object();
    private final MemorySegment ring = Arena.ofAuto().allocate(RING * WcLayout.SIZE, 64);
    @SuppressWarnings("unused")
    private int postLock;
    @SuppressWarnings("unused")
    private int pollLock;
    @SuppressWarnings("unused")
    private long put;
    private long taken;

    /**
     * Makes a path without regions.
     *
     * @param capacity how many regions there may be, a power of two
     */
    public HandWrittenPath(int capacity) {
        regions = new Region[capacity];
    }

    /**
     * Registers memory.
     *
     * @param index any number below the capacity
     * @param memory the memory
     * @return its key
     */
    public int register(int index, MemorySegment memory) {
        int key = index << Byte.SIZE | 0x5A;
        regions[index] = new Region(key, domain, memory.address(), memory.byteSize(), memory);
        return key;
    }

    Region find(int key, long address, long length) {
        Region region = regions[key >>> Byte.SIZE & regions.length - 1];
        long offset = address - region.base;
        if (region.key != key || region.domain != domain || offset < 0 || length > region.length - offset) {
            throw new IllegalArgumentException("key " + key);
        }
        return region;
    }

    /**
     * Executes a request.
     *
     * @param request a WRITE with one element, in the layout of {@code ibv_send_wr} with its {@code ibv_sge} behind it
     */
    public void post(MemorySegment request) {
        while (!POST_LOCK.compareAndSet(this, 0, 1)) {
            Thread.onSpinWait();
        }
        long length = request.get(JAVA_INT, SendWrLayout.SIZE + SgeLayout.LENGTH) & 0xFFFF_FFFFL;
        long address = request.get(JAVA_LONG, SendWrLayout.SIZE + SgeLayout.ADDR);
        Region from = find(request.get(JAVA_INT, SendWrLayout.SIZE + SgeLayout.LKEY), address, length);
        long remote = request.get(JAVA_LONG, SendWrLayout.REMOTE_ADDR);
        Region to = find(request.get(JAVA_INT, SendWrLayout.RDMA_RKEY), remote, length);
        MemorySegment.copy(from.memory, address - from.base, to.memory, remote - to.base, length);
        long at = (put & RING - 1) * WcLayout.SIZE;
        ring.set(JAVA_LONG, at + WcLayout.WR_ID, request.get(JAVA_LONG, SendWrLayout.WR_ID));
        ring.set(JAVA_INT, at + WcLayout.STATUS, 0);
        ring.set(JAVA_INT, at + WcLayout.OPCODE, request.get(JAVA_INT, SendWrLayout.OPCODE));
        ring.set(JAVA_INT, at + WcLayout.VENDOR_ERR, 0);
        ring.set(JAVA_INT, at + WcLayout.BYTE_LEN, (int) length);
        ring.set(JAVA_LONG, at + WcLayout.IMM_DATA, 0);
        ring.set(JAVA_LONG, at + WcLayout.SRC_QP, 0);
        ring.set(JAVA_LONG, at + WcLayout.PKEY_INDEX, 0);
        PUT.setRelease(this, put + 1);
        POST_LOCK.setRelease(this, 0);
    }

    /**
     * Takes a completion.
     *
     * @param completions where it goes, in the layout of {@code ibv_wc}
     * @return how many there were, 0 or 1
     */
    public int poll(MemorySegment completions) {
        if ((long) PUT.getAcquire(this) == taken) {
            return 0;
        }
        while (!POLL_LOCK.compareAndSet(this, 0, 1)) {
            Thread.onSpinWait();
        }
        MemorySegment.copy(ring, (taken & RING - 1) * WcLayout.SIZE, completions, 0, WcLayout.SIZE);
        taken++;
        POLL_LOCK.setRelease(this, 0);
        return 1;
    }
}
