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
 * SEND and RECV from one thread to another with as little as they take, as the baseline: requests read from their off-heap form,
 * keys, protection domain and bounds of both ends checked, one copy, a completion at each end and copied out by polls, and a
 * compare-and-set for each post and poll, as any number of threads may call them. No queue pair, no protocol, no errors. What one
 * thread writes and the other reads has cache lines of its own, a completion one.
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
     * Makes a way for messages.
     *
     * @param regions has the memory of both ends
     */
    public HandWrittenMessages(HandWrittenPath regions) {
        this.regions = regions;
    }

    /**
     * Posts a receive.
     *
     * @param request has one element, in the layout of {@code ibv_recv_wr} with its {@code ibv_sge} behind it
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
     * Sends a message into the next receive, and completes both.
     *
     * @param request a SEND with one element, in the layout of {@code ibv_send_wr} with its {@code ibv_sge} behind it
     */
    public void send(MemorySegment request) {
        sending.take();
        received.approach();
        long length = request.get(JAVA_INT, SendWrLayout.SIZE + SgeLayout.LENGTH) & 0xFFFF_FFFFL;
        long address = request.get(JAVA_LONG, SendWrLayout.SIZE + SgeLayout.ADDR);
        HandWrittenPath.Region from = regions.find(request.get(JAVA_INT, SendWrLayout.SIZE + SgeLayout.LKEY), address,
                length);
        if (next.here == 0 && !lookForNext()) {
            throw new IllegalStateException("no receive");
        }
        HandWrittenPath.Region to = regions.find((int) next.key, next.address, next.length);
        if (length > next.length) {
            throw new IllegalStateException("too long");
        }
        MemorySegment.copy(from.memory(), address - from.base(), to.memory(), next.address - to.base(), length);
        received.put(next.wrId, (int) length);
        next.here = 0;
        next.number++;
        if (next.number < next.posted) {
            // while the other thread is at this message
            lookForNext();
        }
        sent.put(request.get(JAVA_LONG, SendWrLayout.WR_ID), (int) length);
        sending.release();
    }

    private boolean lookForNext() {
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
        next.here = 1;
        return true;
    }

    /**
     * Takes completions of receives.
     *
     * @param completions where they go, in the layout of {@code ibv_wc}
     * @param max how many at most
     * @return how many there were
     */
    public int pollReceived(MemorySegment completions, int max) {
        return received.poll(completions, max);
    }

    /**
     * Takes completions of sends.
     *
     * @param completions where they go, in the layout of {@code ibv_wc}
     * @param max how many at most
     * @return how many there were
     */
    public int pollSent(MemorySegment completions, int max) {
        return sent.poll(completions, max);
    }

    /** Entries of a line each; the last word of an entry is its number plus 1. */
    private static final class Completions {
        private static final int MARK = LINE - Long.BYTES;
        private static final int UNUSED = MARK - Long.BYTES;

        private final MemorySegment ring = Arena.ofAuto().allocate(RING * LINE, LINE);
        private final Count put = new Count();
        private final Count taken = new Count();

        /** Asks for the line that the other thread polls, before there is something to put into it. */
        void approach() {
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

    /** Longs alone are behind it in subclasses: what is smaller would have its place in the gap before them. */
    @SuppressWarnings("unused")
    private abstract static class Before {
        private long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;
    }

    private abstract static class Word extends Before {
        long held;
        long value;
    }

    /** A lock or a count, alone on its cache lines. */
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
        /** 0 or 1. */
        long here;
        long number;
        /** How many there were when last looked. */
        long posted;
        long wrId;
        long address;
        long length;
        long key;
    }

    /** The receive that is used next, looked at before it is needed; under the lock of sending. */
    @SuppressWarnings("unused")
    private static final class Next extends Receive {
        private long q0, q1, q2, q3, q4, q5, q6, q7, q8, q9, q10, q11, q12, q13, q14, q15;
    }
}
