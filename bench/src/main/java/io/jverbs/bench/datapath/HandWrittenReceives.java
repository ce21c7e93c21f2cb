package io.jverbs.bench.datapath;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.spi.RecvWrLayout;
import io.jverbs.spi.SgeLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The baseline of post_recv: a minimal implementation by hand, which copies a request with one element from its
 * off-heap form to a ring, under a spin lock.
 */
final class HandWrittenReceives {
    private static final VarHandle LOCK;

    static {
        try {
            LOCK = MethodHandles.lookup().findVarHandle(HandWrittenReceives.class, "lock", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long[] ids;
    private final long[] addresses;
    private final int[] lengths;
    private final int[] keys;
    @SuppressWarnings("unused")
    private int lock;
    private int put;

    /** Creates an empty ring with a capacity, a power of two. */
    HandWrittenReceives(int capacity) {
        ids = new long[capacity];
        addresses = new long[capacity];
        lengths = new int[capacity];
        keys = new int[capacity];
    }

    /** Adds a request. */
    void post(MemorySegment request) {
        while (!LOCK.compareAndSet(this, 0, 1)) {
            Thread.onSpinWait();
        }
        if (put == ids.length) {
            throw new IllegalStateException("the ring is full");
        }
        int slot = put++ & ids.length - 1;
        ids[slot] = request.get(JAVA_LONG, RecvWrLayout.WR_ID);
        addresses[slot] = request.get(JAVA_LONG, RecvWrLayout.SIZE + SgeLayout.ADDR);
        lengths[slot] = request.get(JAVA_INT, RecvWrLayout.SIZE + SgeLayout.LENGTH);
        keys[slot] = request.get(JAVA_INT, RecvWrLayout.SIZE + SgeLayout.LKEY);
        LOCK.setRelease(this, 0);
    }

    /** Removes all requests. */
    void clear() {
        put = 0;
    }
}
