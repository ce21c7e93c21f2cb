package io.jverbs.bench.datapath;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.spi.RecvWrLayout;
import io.jverbs.spi.SendWrLayout;
import io.jverbs.spi.SgeLayout;
import io.jverbs.spi.WcLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The baseline of SEND and RECV between two threads: a minimal implementation by hand. It reads requests from their
 * off-heap form, checks keys, protection domain and bounds of both sides, copies once, writes a completion for each
 * side, and copies completions out in polls. As any number of threads may post and poll, each call has a
 * compare-and-set. There is no queue pair, no protocol and no error handling. Data that one thread writes and the other
 * reads is on separate cache lines, one for each completion.
 */
public final class HandWrittenMessages {
    private static final int RING = 256;
    private static final int LINE = 64;
    private static final VarHandle LONG = JAVA_LONG.varHandle();
    private static final VarHandle LOCK;
    private static final VarHandle VALUE;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            LOCK = lookup.findVarHandle(Lock.class, "held", long.class);
            VALUE = lookup.findVarHandle(Count.class, "value", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final HandWrittenPath regions;
    private final Lock sending = new Lock();
    private final Lock posting = new Lock();
    private final MemorySegment receives = Arena.ofAuto().allocate(RING * LINE, LINE);
    private final Count posted = new Count();
    private final Next next = new Next();
    private final Completions sent = new Completions();
    private final Completions received = new Completions();

    /**
     * Creates a channel of messages in one direction.
     *
     * @param regions the registered memory of both sides
     */
    public HandWrittenMessages(HandWrittenPath regions) {
        this.regions = regions;
    }

    /**
     * Posts a receive.
     *
     * @param request a request with one element, in the layout of {@code ibv_recv_wr}, followed by its {@code ibv_sge}
     */
    public void receive(MemorySegment request) {
        posting.take();
        long number = posted.value;
        long at = number % RING * LINE;
        receives.set(JAVA_LONG, at, request.get(JAVA_LONG, RecvWrLayout.WR_ID));
        receives.set(JAVA_LONG, at + 8, request.get(JAVA_LONG, RecvWrLayout.SIZE + SgeLayout.ADDR));
        receives.set(JAVA_LONG, at + 16, request.get(JAVA_LONG, RecvWrLayout.SIZE + SgeLayout.LENGTH));
        VALUE.setRelease(posted, number + 1);
        posting.release();
    }

    /**
     * Sends a message to the next receive, and completes both.
     *
     * @param request a SEND with one element, in the layout of {@code ibv_send_wr}, followed by its {@code ibv_sge}
     */
    public void send(MemorySegment request) {
        sending.take();
        received.prefetch();
        long length = request.get(JAVA_INT, SendWrLayout.SIZE + SgeLayout.LENGTH) & 0xFFFF_FFFFL;
        long address = request.get(JAVA_LONG, SendWrLayout.SIZE + SgeLayout.ADDR);
        HandWrittenPath.Region from = regions.find(request.get(JAVA_INT, SendWrLayout.SIZE + SgeLayout.LKEY), address,
                length);
        if (next.loaded == 0 && !loadNext()) {
            throw new IllegalStateException("no receive is posted");
        }
        HandWrittenPath.Region to = regions.find((int) next.key, next.address, next.length);
        if (length > next.length) {
            throw new IllegalStateException("the message is longer than the receive");
        }
        MemorySegment.copy(from.memory(), address - from.base(), to.memory(), next.address - to.base(), length);
        received.put(next.wrId, (int) length);
        next.loaded = 0;
        next.number++;
        if (next.number < next.posted) {
            // overlaps with the handling of this message by the other thread
            loadNext();
        }
        sent.put(request.get(JAVA_LONG, SendWrLayout.WR_ID), (int) length);
        sending.release();
    }

    private boolean loadNext() {
        if (next.number == next.posted) {
            next.posted = (long) VALUE.getAcquire(posted);
            if (next.number == next.posted) {
                return false;
            }
        }
        long at = next.number % RING * LINE;
        next.wrId = receives.get(JAVA_LONG, at);
        next.address = receives.get(JAVA_LONG, at + 8);
        next.length = receives.get(JAVA_INT, at + 16) & 0xFFFF_FFFFL;
        next.key = receives.get(JAVA_INT, at + 20);
        next.loaded = 1;
        return true;
    }

    /**
     * Polls completions of receives.
     *
     * @param completions the destination, in the layout of {@code ibv_wc}
     * @param max the largest number of completions
     * @return the number of completions
     */
    public int pollReceived(MemorySegment completions, int max) {
        return received.poll(completions, max);
    }

    /**
     * Polls completions of sends.
     *
     * @param completions the destination, in the layout of {@code ibv_wc}
     * @param max the largest number of completions
     * @return the number of completions
     */
    public int pollSent(MemorySegment completions, int max) {
        return sent.poll(completions, max);
    }

    /** A ring of completions, one cache line each. The last word of an entry is its number plus 1. */
    private static final class Completions {
        private static final int MARK = LINE - Long.BYTES;
        private static final int UNUSED = MARK - Long.BYTES;

        private final MemorySegment ring = Arena.ofAuto().allocate(RING * LINE, LINE);
        private final Count put = new Count();
        private final Count taken = new Count();

        /** Acquires the cache line that the other thread polls, before the completion is written to it. */
        void prefetch() {
            ring.set(JAVA_LONG, put.value % RING * LINE + UNUSED, 0);
        }

        void put(long wrId, int length) {
            long number = put.value;
            long at = number % RING * LINE;
            ring.set(JAVA_LONG, at + WcLayout.WR_ID, wrId);
            ring.set(JAVA_LONG, at + WcLayout.STATUS, 0);
            ring.set(JAVA_INT, at + WcLayout.VENDOR_ERR, 0);
            ring.set(JAVA_INT, at + WcLayout.BYTE_LEN, length);
            ring.set(JAVA_LONG, at + WcLayout.IMM_DATA, 0);
            ring.set(JAVA_LONG, at + WcLayout.SRC_QP, 0);
            ring.set(JAVA_LONG, at + WcLayout.PKEY_INDEX, 0);
            LONG.setRelease(ring, at + MARK, number + 1);
            put.value = number + 1;
        }

        int poll(MemorySegment completions, int max) {
            while (true) {
                long first = (long) VALUE.getAcquire(taken);
                int count = 0;
                while (count < max) {
                    long at = (first + count) % RING * LINE;
                    if ((long) LONG.getAcquire(ring, at + MARK) != first + count + 1) {
                        break;
                    }
                    MemorySegment.copy(ring, at, completions, count * WcLayout.SIZE, WcLayout.SIZE);
                    count++;
                }
                if (count == 0 || VALUE.compareAndSet(taken, first, first + count)) {
                    return count;
                }
            }
        }
    }

    /** Padding. Subclasses may only have long fields, as the JVM would place smaller ones before the padding. */
    @SuppressWarnings("unused")
    private abstract static class Before {
        private long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;
    }

    private abstract static class Word extends Before {
        long held;
        long value;
    }

    /** A lock or a count on cache lines of its own. */
    @SuppressWarnings("unused")
    private abstract static class Apart extends Word {
        private long q0, q1, q2, q3, q4, q5, q6, q7, q8, q9, q10, q11, q12, q13, q14, q15;
    }

    private static final class Count extends Apart {}

    private static final class Lock extends Apart {
        void take() {
            while (!LOCK.compareAndSet(this, 0L, 1L)) {
                Thread.onSpinWait();
            }
        }

        void release() {
            LOCK.setRelease(this, 0L);
        }
    }

    private abstract static class Receive extends Before {
        /** Whether the fields below are those of the next receive: 0 or 1. */
        long loaded;
        long number;
        /** The number of posted receives at the last read. */
        long posted;
        long wrId;
        long address;
        long length;
        long key;
    }

    /** The next receive, read ahead of its use. The lock of sending guards it. */
    @SuppressWarnings("unused")
    private static final class Next extends Receive {
        private long q0, q1, q2, q3, q4, q5, q6, q7, q8, q9, q10, q11, q12, q13, q14, q15;
    }
}
