package io.jverbs.fault;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.WorkCompletions;
import io.jverbs.spi.DataPath;
import io.jverbs.spi.ProviderDevice;
import io.jverbs.spi.WcLayout;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Applies the rules to completions between the device and the program. A completion passes unchanged, is changed to an
 * error, or is held or delayed. When a queue pair gets an injected error, its further completions are dropped and all
 * outstanding requests are flushed instead. All methods are called with the lock of the context held.
 *
 * <p>
 * An exception or Error loses no completion: what was taken from the device and not processed is kept
 * ({@link KeptCompletions}), and what is in the program's array already is returned; the next poll throws it then.
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
    private final ReentrantLock lock;
    private final WorkCompletions drained = WorkCompletions.create(DRAIN);
    /**
     * The first and the last of the queue pairs with an injected error whose outstanding requests have not been flushed
     * yet. They are linked to each other, so that one can be added without memory. The last one is only valid if there
     * is a first one.
     */
    private TrackedQp firstToFlush;
    private TrackedQp lastToFlush;

    /** Moves a queue pair to ERR. */
    interface QpFailure {
        void toErr(TrackedQp qp);
    }

    CompletionFilter(ProviderDevice device, DataPath inner, Rules rules, Map<Integer, TrackedQp> queuePairs,
            QpFailure failure, ReentrantLock lock) {
        this.device = device;
        this.inner = inner;
        this.rules = rules;
        this.queuePairs = queuePairs;
        this.failure = failure;
        this.lock = lock;
    }

    /** Whether a queue is managed, see {@link TrackedCq}. It becomes managed when there is a rule for completions. */
    boolean manages(TrackedCq cq) {
        assert lock.isHeldByCurrentThread();
        if (!cq.isManaged() && rules.has(FaultTarget.COMPLETION)) {
            cq.manage();
        }
        return cq.isManaged();
    }

    /** As {@link DataPath#poll}. */
    int poll(TrackedCq cq, WorkCompletions completions, int max) {
        assert lock.isHeldByCurrentThread();
        cq.rethrow();
        manages(cq);
        MemorySegment memory = completions.memory();
        int count = 0;
        try {
            count = hasMore(cq) ? 0 : pass(cq, completions, max);
            boolean more = hasMore(cq);
            // a result below max must mean that the queue is empty, and a delay starts at the first poll that could
            // return the completion
            while (more) {
                boolean all = drain(cq);
                int before = count;
                long now = device.nanoTime();
                while (count < max && cq.pending().take(memory, count * WcLayout.SIZE, now)) {
                    count++;
                }
                more = !all && count > before;
            }
        } catch (RuntimeException | Error e) {
            if (count == 0) {
                throw e;
            }
            cq.throwLater(e);
        }
        try {
            cq.polled(memory, count);
        } catch (RuntimeException | Error e) {
            cq.polledUnread(count);
            cq.throwLater(e);
        }
        return count;
    }

    /** Whether this layer has completions that were taken from the device. */
    private static boolean hasMore(TrackedCq cq) {
        return !cq.pending().isEmpty() || !cq.kept().isEmpty();
    }

    /** Takes completions that were kept, or else completions from the device. */
    private int take(TrackedCq cq, WorkCompletions into, int max) {
        int count = cq.kept().copyTo(into.memory(), max);
        if (count == 0) {
            cq.kept().reserve(max);
            count = inner.poll(cq.handle(), into, max);
        }
        return count;
    }

    /** Takes completions from the device until one passes or none is left. */
    private int pass(TrackedCq cq, WorkCompletions completions, int max) {
        MemorySegment memory = completions.memory();
        int count = 0;
        int taken = 1;
        // a result of 0 must mean that the queue is empty: the caller may have armed it and wait for an event next
        while (taken > 0 && count == 0 && cq.pending().isEmpty()) {
            taken = take(cq, completions, max);
            int i = 0;
            try {
                for (; i < taken; i++) {
                    long at = i * WcLayout.SIZE;
                    decide(cq, memory, at);
                    if (cq.kept().decision() == PendingCompletions.AT_ONCE && cq.pending().isEmpty()) {
                        MemorySegment.copy(memory, at, memory, count * WcLayout.SIZE, WcLayout.SIZE);
                        count++;
                    } else {
                        wait(cq, memory, at);
                    }
                    cq.kept().processed();
                }
                flushFailed();
            } catch (RuntimeException | Error e) {
                cq.kept().keep(memory, i, taken - i);
                if (count == 0) {
                    throw e;
                }
                cq.throwLater(e);
                return count;
            }
        }
        return count;
    }

    private void decide(TrackedCq cq, MemorySegment memory, long at) {
        if (!cq.kept().isDecided()) {
            long late = applyRules(cq, memory, at);
            cq.kept().decide(late, cq.kept().log(), cq.kept().entries());
        }
    }

    private void wait(TrackedCq cq, MemorySegment memory, long at) {
        KeptCompletions kept = cq.kept();
        if (kept.decision() != DROPPED) {
            cq.pending().add(memory, at, kept.decision(), device.nanoTime(), kept.log(), kept.entries());
            // it must not be added again
            kept.decide(DROPPED, null, 0);
            cq.pendingChanged();
        }
    }

    /**
     * Takes completions from the device and applies the rules, until as many are pending as the queue holds. Further
     * completions stay in the device, which may overflow. Returns whether the device has none left.
     */
    boolean drain(TrackedCq cq) {
        assert lock.isHeldByCurrentThread();
        boolean all = drainOnly(cq, cq.handle().cqe());
        flushFailed();
        return all;
    }

    /** Takes all completions of a queue from the device. */
    void drainAll(TrackedCq cq) {
        assert lock.isHeldByCurrentThread();
        drainOnly(cq, Integer.MAX_VALUE);
        flushFailed();
    }

    /** Takes all completions of the completion queues of a queue pair from the device. */
    void drain(TrackedQp qp) {
        assert lock.isHeldByCurrentThread();
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
            taken = take(cq, drained, Math.min(DRAIN, most - cq.pending().size()));
            int i = 0;
            try {
                for (; i < taken; i++) {
                    decide(cq, memory, i * WcLayout.SIZE);
                    wait(cq, memory, i * WcLayout.SIZE);
                    cq.kept().processed();
                }
            } catch (RuntimeException | Error e) {
                cq.kept().keep(memory, i, taken - i);
                throw e;
            }
        }
        return taken == 0;
    }

    /** The delay of a completion in nanoseconds, HELD, or {@link #DROPPED}. May change the completion to an error. */
    private long applyRules(TrackedCq cq, MemorySegment memory, long at) {
        TrackedQp qp = queuePairs.get(memory.get(JAVA_INT, at + WcLayout.QP_NUM));
        if (qp == null) {
            return PendingCompletions.AT_ONCE;
        }
        boolean success = memory.get(JAVA_INT, at + WcLayout.STATUS) == 0;
        int opcode = memory.get(JAVA_INT, at + WcLayout.OPCODE);
        boolean receive = success
                ? (opcode & RECEIVE_BIT) != 0
                : isReceive(cq, qp, opcode, memory.get(JAVA_LONG, at + WcLayout.WR_ID));
        RequestLog log = receive ? qp.receives() : qp.sends();
        if (qp.failed()) {
            // a receive that succeeded before the error still counts; requests that were flushed do not complete again
            if (!success || !receive || qp.srq() == null && qp.receives().size() == 0) {
                return DROPPED;
            }
            cq.kept().decide(PendingCompletions.AT_ONCE, log, log.completed());
            return PendingCompletions.AT_ONCE;
        }
        // if a rule cannot be applied, the completion passes unchanged
        cq.kept().decide(PendingCompletions.AT_ONCE, log,
                success || receive ? log.completed() : log.completed(memory.get(JAVA_LONG, at + WcLayout.WR_ID)));
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
        boolean mayReceive = qp.srq() != null || qp.receives().isOldest(wrId);
        return mayReceive && ((opcode & RECEIVE_BIT) != 0 || !qp.sends().contains(wrId));
    }

    private void fail(TrackedQp qp, MemorySegment memory, long at, int status) {
        qp.fail();
        if (firstToFlush == null) {
            firstToFlush = qp;
        } else {
            lastToFlush.nextToFlush(qp);
        }
        lastToFlush = qp;
        memory.set(JAVA_INT, at + WcLayout.STATUS, status);
        memory.set(JAVA_INT, at + WcLayout.BYTE_LEN, 0);
        memory.set(JAVA_INT, at + WcLayout.WC_FLAGS, 0);
    }

    /**
     * Moves queue pairs with an injected error to ERR, and flushes their outstanding requests, behind earlier
     * completions. After an exception or Error, the next call continues. Requests of a destroyed queue pair are
     * discarded.
     */
    private void flushFailed() {
        while (firstToFlush != null) {
            TrackedQp qp = firstToFlush;
            if (!qp.isDestroyed()) {
                flush(qp);
            }
            firstToFlush = qp.takeNextToFlush();
        }
    }

    private void flush(TrackedQp qp) {
        failure.toErr(qp);
        drainQueues(qp);
        while (qp.sends().size() > 0) {
            qp.flushOldest(false);
        }
        while (qp.receives().size() > 0) {
            qp.flushOldest(true);
        }
    }
}
