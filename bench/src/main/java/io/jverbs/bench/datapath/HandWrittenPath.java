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
 * The baseline of post_send and poll_cq of an RDMA WRITE: a minimal implementation by hand. It reads the request from
 * its off-heap form, checks keys, protection domain and bounds with an array of regions, copies once, writes a
 * completion to an off-heap ring, and copies it out in the poll. Post and poll have a spin lock each. There is no queue
 * pair, no protocol and no error handling.
 */
public final class HandWrittenPath {
    /** The capacity for the regions of a few buffers. */
    public static final int FEW_REGIONS = 16;
    /** The number of entries, as in the device's queue. More would not fit the first-level cache. */
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
     * Creates a path without regions.
     *
     * @param capacity the largest number of regions, a power of two
     */
    public HandWrittenPath(int capacity) {
        regions = new Region[capacity];
    }

    /**
     * Registers memory.
     *
     * @param index the index of the region, less than the capacity
     * @param memory the memory
     * @return the key of the region
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
            throw new IllegalArgumentException("unknown key, or address outside its region: key " + key);
        }
        return region;
    }

    /**
     * Executes a request.
     *
     * @param request a WRITE with one element, in the layout of {@code ibv_send_wr}, followed by its {@code ibv_sge}
     */
    public void post(MemorySegment request) {
        while (!POST_LOCK.compareAndSet(this, 0, 1)) {
            Thread.onSpinWait();
        }
        try {
            execute(request);
        } finally {
            POST_LOCK.setRelease(this, 0);
        }
    }

    /** Executes a request as {@link #post} does. The calling thread excludes others. */
    void execute(MemorySegment request) {
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
    }

    /** The number of completions ever added. The calling thread excludes others. */
    long added() {
        return put;
    }

    /** The number of completions that were polled when the calling thread last synchronized with the poller. */
    long polled() {
        return taken;
    }

    /**
     * Polls a completion.
     *
     * @param completions the destination, in the layout of {@code ibv_wc}
     * @return the number of completions, 0 or 1
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
