package io.jverbs.fault;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.WorkCompletions;
import io.jverbs.fault.ActiveRule.Place;
import io.jverbs.spi.DataPath;
import io.jverbs.spi.ProviderDevice;
import io.jverbs.spi.WcLayout;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;

/**
 * Applies the rules to completions between the device and the program. A completion passes unchanged, is changed to an
 * error, or is held or delayed. When a queue pair gets an injected error, its further completions are dropped and all
 * outstanding requests are flushed instead. All methods are called with the lock of the context held.
 */
final class CompletionFilter {
    /** How many completions to take from the device at a time. */
    private static final int DRAIN = 64;
    private static final int RECEIVE_BIT = PendingCompletions.RECEIVE_BIT;
    private static final long DROPPED = -1;

    private final ProviderDevice device;
    private final DataPath inner;
    private final Rules rules;
    private final Map<Integer, TrackedQp> queuePairs;
    private final QpFailure failure;
    private final WorkCompletions drained = WorkCompletions.create(DRAIN);
    /** Queue pairs with an injected error whose outstanding requests have not been flushed yet. */
    private final Deque<TrackedQp> toFlush = new ArrayDeque<>();
    /** The request log that the latest completion belongs to; null if its queue pair was destroyed. */
    private RequestLog currentLog;

    /** Moves a queue pair to ERR. */
    interface QpFailure {
        void toErr(TrackedQp qp);
    }

    CompletionFilter(ProviderDevice device, DataPath inner, Rules rules, Map<Integer, TrackedQp> queuePairs,
            QpFailure failure) {
        this.device = device;
        this.inner = inner;
        this.rules = rules;
        this.queuePairs = queuePairs;
        this.failure = failure;
    }

    /** Whether a queue is managed, see {@link TrackedCq}. It becomes managed when there is a rule for completions. */
    boolean manages(TrackedCq cq) {
        if (!cq.isManaged() && rules.has(Place.COMPLETION)) {
            cq.manage();
        }
        return cq.isManaged();
    }

    /** As {@link DataPath#poll}. */
    int poll(TrackedCq cq, WorkCompletions completions, int max) {
        manages(cq);
        MemorySegment memory = completions.memory();
        int count = cq.pending().isEmpty() ? pass(cq, completions, max) : 0;
        boolean more = !cq.pending().isEmpty();
        // a result below max must mean that the queue is empty, and a delay starts at the first poll that could return
        // the completion
        while (more) {
            boolean all = drain(cq);
            int taken = cq.pending().take(memory, count * WcLayout.SIZE, max - count, device.nanoTime());
            count += taken;
            more = !all && taken > 0;
        }
        cq.polled(memory, count);
        return count;
    }

    /** Takes completions from the device until one passes or none is left. */
    private int pass(TrackedCq cq, WorkCompletions completions, int max) {
        MemorySegment memory = completions.memory();
        int count = 0;
        int taken = 1;
        // a result of 0 must mean that the queue is empty: the caller may have armed it and wait for an event next
        while (taken > 0 && count == 0 && cq.pending().isEmpty()) {
            taken = inner.poll(cq.handle(), completions, max);
            for (int i = 0; i < taken; i++) {
                long at = i * WcLayout.SIZE;
                long late = applyRules(cq, memory, at);
                if (late == PendingCompletions.AT_ONCE && cq.pending().isEmpty()) {
                    MemorySegment.copy(memory, at, memory, count++ * WcLayout.SIZE, WcLayout.SIZE);
                } else {
                    wait(cq, memory, at, late);
                }
            }
            flushFailed();
        }
        return count;
    }

    private void wait(TrackedCq cq, MemorySegment memory, long at, long late) {
        if (late != DROPPED) {
            cq.pending().add(memory, at, late, device.nanoTime(), currentLog);
            cq.pendingChanged();
        }
    }

    /**
     * Takes completions from the device and applies the rules, until as many are pending as the queue holds. Further
     * completions stay in the device, which may overflow. Returns whether the device has none left.
     */
    boolean drain(TrackedCq cq) {
        boolean all = drainOnly(cq, cq.handle().cqe());
        flushFailed();
        return all;
    }

    /** Takes all completions of a queue from the device. */
    void drainAll(TrackedCq cq) {
        drainOnly(cq, Integer.MAX_VALUE);
        flushFailed();
    }

    /** Takes all completions of the completion queues of a queue pair from the device. */
    void drain(TrackedQp qp) {
        drainQueues(qp);
        flushFailed();
    }

    private void drainQueues(TrackedQp qp) {
        drainOnly(qp.sendCq(), Integer.MAX_VALUE);
        if (qp.recvCq() != qp.sendCq()) {
            drainOnly(qp.recvCq(), Integer.MAX_VALUE);
        }
    }

    private boolean drainOnly(TrackedCq cq, int most) {
        MemorySegment memory = drained.memory();
        int taken = 1;
        while (taken > 0 && cq.pending().size() < most) {
            taken = inner.poll(cq.handle(), drained, Math.min(DRAIN, most - cq.pending().size()));
            for (int i = 0; i < taken; i++) {
                wait(cq, memory, i * WcLayout.SIZE, applyRules(cq, memory, i * WcLayout.SIZE));
            }
        }
        return taken == 0;
    }

    /** The delay of a completion in nanoseconds, HELD, or {@link #DROPPED}. May change the completion to an error. */
    private long applyRules(TrackedCq cq, MemorySegment memory, long at) {
        TrackedQp qp = queuePairs.get(memory.get(JAVA_INT, at + WcLayout.QP_NUM));
        currentLog = null;
        if (qp == null) {
            return PendingCompletions.AT_ONCE;
        }
        boolean success = memory.get(JAVA_INT, at + WcLayout.STATUS) == 0;
        int opcode = memory.get(JAVA_INT, at + WcLayout.OPCODE);
        boolean receive = success
                ? (opcode & RECEIVE_BIT) != 0
                : isReceive(cq, qp, opcode, memory.get(JAVA_LONG, at + WcLayout.WR_ID));
        currentLog = receive ? qp.receives() : qp.sends();
        if (qp.failed()) {
            // a receive that succeeded before the error still counts; requests that were flushed do not complete again
            if (!success || !receive || qp.srqOwner() == null && qp.receives().size() == 0) {
                return DROPPED;
            }
            qp.receives().completed();
            return PendingCompletions.AT_ONCE;
        }
        recordCompletion(qp, success, receive, memory.get(JAVA_LONG, at + WcLayout.WR_ID));
        return switch (rules.atCompletion(qp, success, opcode, receive)) {
            case null -> PendingCompletions.AT_ONCE;
            case Fault.Hold hold -> PendingCompletions.HELD;
            case Fault.Delay delay -> {
                device.alarm(delay.time().toNanos());
                yield delay.time().toNanos();
            }
            case Fault.FailCompletion failing -> {
                fail(qp, memory, at, failing.status().code());
                yield PendingCompletions.AT_ONCE;
            }
            case Fault other -> throw new AssertionError(other + " is not a fault of completions");
        };
    }

    /** Whether a completion in error is of a receive request. The opcode of such a completion need not be valid. */
    private static boolean isReceive(TrackedCq cq, TrackedQp qp, int opcode, long wrId) {
        if (qp.sendCq() != qp.recvCq()) {
            return qp.recvCq() == cq;
        }
        boolean mayReceive = qp.srqOwner() != null || qp.receives().isOldest(wrId);
        return mayReceive && ((opcode & RECEIVE_BIT) != 0 || !qp.sends().contains(wrId));
    }

    private static void recordCompletion(TrackedQp qp, boolean success, boolean receive, long wrId) {
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

    /** Flushes the outstanding requests of queue pairs with an injected error, behind earlier completions. */
    private void flushFailed() {
        while (!toFlush.isEmpty()) {
            TrackedQp qp = toFlush.remove();
            drainQueues(qp);
            while (qp.sends().size() > 0) {
                qp.flushed(qp.sends().takeOldest(), false);
            }
            while (qp.receives().size() > 0) {
                qp.flushed(qp.receives().takeOldest(), true);
            }
        }
    }
}
