package io.jverbs.fault;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.WcOpcode;
import io.jverbs.WorkCompletions;
import io.jverbs.spi.DataPath;
import io.jverbs.spi.WcLayout;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;

/**
 * What becomes of completions between the device and the program: they pass, change, wait, or, when a queue pair was made
 * to fail, give way to the flush of all that is outstanding. The context's lock is held.
 */
final class CompletionFilter {
    private static final int DRAIN = 64;
    private static final int RECEIVE_BIT = WcOpcode.RECV.code();
    private static final long DROPPED = -1;

    private final DataPath inner;
    private final Rules rules;
    private final Map<Integer, TrackedQp> queuePairs;
    private final QpFailure failure;
    private final WorkCompletions drained = WorkCompletions.create(DRAIN);
    /** Failed queue pairs whose outstanding requests have not been flushed yet. */
    private final Deque<TrackedQp> toFlush = new ArrayDeque<>();

    /** Moves a queue pair to ERR. */
    interface QpFailure {
        void toErr(TrackedQp qp);
    }

    CompletionFilter(DataPath inner, Rules rules, Map<Integer, TrackedQp> queuePairs, QpFailure failure) {
        this.inner = inner;
        this.rules = rules;
        this.queuePairs = queuePairs;
        this.failure = failure;
    }

    /** As {@link DataPath#poll}. */
    int poll(TrackedCq cq, WorkCompletions completions, int max) {
        if (cq.pending().isReady(System.nanoTime())) {
            // fewer than asked for must mean that there are no more
            drain(cq);
        }
        MemorySegment memory = completions.memory();
        int count = 0;
        int taken = 1;
        // an answer of nothing must mean that there is nothing: who armed the queue before goes to sleep
        while (taken > 0 && count == 0 && cq.pending().isEmpty()) {
            taken = inner.poll(cq.handle(), completions, max);
            for (int i = 0; i < taken; i++) {
                long at = i * WcLayout.SIZE;
                long due = judge(cq, memory, at);
                if (due == PendingCompletions.AT_ONCE && cq.pending().isEmpty()) {
                    MemorySegment.copy(memory, at, memory, count++ * WcLayout.SIZE, WcLayout.SIZE);
                } else if (due != DROPPED) {
                    cq.pending().add(memory, at, due);
                }
            }
            flushFailed();
        }
        if (!cq.pending().isEmpty()) {
            count += cq.pending().take(memory, count * WcLayout.SIZE, max - count, System.nanoTime());
        }
        cq.polled(count);
        return count;
    }

    /** Takes all that the device has for a queue, to see what becomes of it. */
    void drain(TrackedCq cq) {
        drainOnly(cq);
        flushFailed();
    }

    private void drainOnly(TrackedCq cq) {
        MemorySegment memory = drained.memory();
        for (int taken = inner.poll(cq.handle(), drained, DRAIN); taken > 0; taken = inner.poll(cq.handle(), drained,
                DRAIN)) {
            for (int i = 0; i < taken; i++) {
                long due = judge(cq, memory, i * WcLayout.SIZE);
                if (due != DROPPED) {
                    cq.pending().add(memory, i * WcLayout.SIZE, due);
                }
            }
        }
    }

    /** When a completion becomes visible, or {@link #DROPPED}; it may be changed. */
    private long judge(TrackedCq cq, MemorySegment memory, long at) {
        TrackedQp qp = queuePairs.get(memory.get(JAVA_INT, at + WcLayout.QP_NUM));
        if (qp == null) {
            return PendingCompletions.AT_ONCE;
        }
        boolean success = memory.get(JAVA_INT, at + WcLayout.STATUS) == 0;
        int opcode = memory.get(JAVA_INT, at + WcLayout.OPCODE);
        boolean receive = success
                ? (opcode & RECEIVE_BIT) != 0
                : isReceive(cq, qp, opcode, memory.get(JAVA_LONG, at + WcLayout.WR_ID));
        if (qp.failed()) {
            if (!success || !receive) {
                return DROPPED;
            }
            qp.receives().completed();
            return PendingCompletions.AT_ONCE;
        }
        note(qp, success, receive, memory.get(JAVA_LONG, at + WcLayout.WR_ID));
        return switch (rules.atCompletion(qp, success, opcode, receive)) {
            case null -> PendingCompletions.AT_ONCE;
            case Fault.Hold hold -> PendingCompletions.NEVER;
            case Fault.Delay delay -> System.nanoTime() + delay.time().toNanos() | 1;
            case Fault.FailCompletion failing -> {
                fail(qp, memory, at, failing.status().code());
                yield PendingCompletions.AT_ONCE;
            }
            case Fault other -> throw new AssertionError(other + " is no fault of completions");
        };
    }

    /** Which side an error is of: its opcode need not tell. */
    private static boolean isReceive(TrackedCq cq, TrackedQp qp, int opcode, long wrId) {
        if (qp.sendCq() != qp.recvCq()) {
            return qp.recvCq() == cq;
        }
        boolean mayReceive = qp.srqOwner() != null || qp.receives().isOldest(wrId);
        return mayReceive && ((opcode & RECEIVE_BIT) != 0 || !qp.sends().contains(wrId));
    }

    private static void note(TrackedQp qp, boolean success, boolean receive, long wrId) {
        if (receive) {
            qp.receives().completed();
        } else if (success) {
            qp.sends().completed();
        } else {
            qp.sends().completed(wrId);
        }
    }

    private void fail(TrackedQp qp, MemorySegment memory, long at, int status) {
        memory.set(JAVA_INT, at + WcLayout.STATUS, status);
        memory.set(JAVA_INT, at + WcLayout.BYTE_LEN, 0);
        memory.set(JAVA_INT, at + WcLayout.WC_FLAGS, 0);
        qp.fail();
        failure.toErr(qp);
        toFlush.add(qp);
    }

    /** Flushes what failed queue pairs have outstanding, behind what had completed before. */
    private void flushFailed() {
        while (!toFlush.isEmpty()) {
            TrackedQp qp = toFlush.remove();
            drainOnly(qp.sendCq());
            if (qp.recvCq() != qp.sendCq()) {
                drainOnly(qp.recvCq());
            }
            while (qp.sends().size() > 0) {
                qp.sendCq().pending().addFlushed(qp.sends().takeOldest(), false, qp.number());
            }
            while (qp.receives().size() > 0) {
                qp.recvCq().pending().addFlushed(qp.receives().takeOldest(), true, qp.number());
            }
        }
    }
}
