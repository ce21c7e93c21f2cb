package io.jverbs.fault;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.WcOpcode;
import io.jverbs.WcStatus;
import io.jverbs.spi.WcLayout;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.IntSupplier;

/**
 * The completions of one completion queue that were taken from the device and not polled by the program, oldest first.
 * Guarded by the lock of the context.
 */
final class PendingCompletions {
    /** The delay of a held completion. */
    static final long HELD = Long.MAX_VALUE;
    /** The delay of a completion that is visible at once. */
    static final long AT_ONCE = 0;
    static final int RECEIVE_BIT = WcOpcode.RECV.code();

    private static final class Entry {
        private final byte[] wc = new byte[(int) WcLayout.SIZE];
        private final RequestLog log;
        /** How many entries of its queue are occupied until it is polled. */
        private final int entries;
        private boolean visible;
        private boolean held;
        private long due;

        Entry(RequestLog log, int entries) {
            this.log = log;
            this.entries = entries;
        }

        int qpNumber() {
            return MemorySegment.ofArray(wc).get(JAVA_INT.withByteAlignment(1), WcLayout.QP_NUM);
        }
    }

    private final Deque<Entry> entries = new ArrayDeque<>();
    private final IntSupplier most;

    /**
     * Starts empty.
     *
     * @param most the maximum number of completions; further ones are lost, as when a completion queue overflows
     */
    PendingCompletions(IntSupplier most) {
        this.most = most;
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    int size() {
        return entries.size();
    }

    /**
     * Adds the completion at an offset of an array.
     *
     * @param late the delay in nanoseconds until it becomes visible, or {@link #HELD}
     * @param log the requests of the queue that the request occupies; null if its queue pair was destroyed
     * @param occupied how many entries of that queue are occupied until the completion is polled
     */
    void add(MemorySegment memory, long at, long late, long now, RequestLog log, int occupied) {
        Entry entry = new Entry(log, occupied);
        entry.visible = late == AT_ONCE;
        entry.held = late == HELD;
        entry.due = now + late;
        MemorySegment.copy(memory, at, MemorySegment.ofArray(entry.wc), 0, WcLayout.SIZE);
        add(entry);
    }

    /** Adds a completion with WR_FLUSH_ERR, which is visible at once. */
    void addFlushed(long wrId, boolean receive, int qpNumber, RequestLog log) {
        Entry entry = new Entry(log, 1);
        entry.visible = true;
        MemorySegment wc = MemorySegment.ofArray(entry.wc);
        wc.set(JAVA_LONG.withByteAlignment(1), WcLayout.WR_ID, wrId);
        wc.set(JAVA_INT.withByteAlignment(1), WcLayout.STATUS, WcStatus.WR_FLUSH_ERR.code());
        wc.set(JAVA_INT.withByteAlignment(1), WcLayout.OPCODE, receive ? RECEIVE_BIT : 0);
        wc.set(JAVA_INT.withByteAlignment(1), WcLayout.QP_NUM, qpNumber);
        add(entry);
    }

    private void add(Entry entry) {
        if (entries.size() >= most.getAsInt()) {
            return;
        }
        entries.add(entry);
        if (entry.log != null) {
            entry.log.completionWaits(entry.entries);
        }
    }

    /** Whether the oldest completion is visible. */
    boolean isReady(long now) {
        return !entries.isEmpty() && isReady(entries.peek(), now);
    }

    private static boolean isReady(Entry entry, long now) {
        return entry.visible || !entry.held && now - entry.due >= 0;
    }

    /** How many completions are visible: those before the first one that is not. */
    int ready(long now) {
        int count = 0;
        for (Entry entry : entries) {
            if (!isReady(entry, now)) {
                break;
            }
            count++;
        }
        return count;
    }

    /**
     * How many nanoseconds until the first completion that is not visible becomes visible; {@link Long#MAX_VALUE} if
     * there is none or it is held.
     */
    long untilNext(long now) {
        for (Entry entry : entries) {
            if (!isReady(entry, now)) {
                return entry.held ? Long.MAX_VALUE : entry.due - now;
            }
        }
        return Long.MAX_VALUE;
    }

    /**
     * Whether a visible completion counts as solicited: one in error, or a receive completion that may be solicited.
     *
     * @param behind how many completions to skip from the oldest one
     * @param unknown for how many completions from the oldest one it is not known whether they are solicited
     */
    boolean hasSolicited(int behind, int unknown, long now) {
        int index = 0;
        for (Entry entry : entries) {
            if (!isReady(entry, now)) {
                return false;
            }
            MemorySegment wc = MemorySegment.ofArray(entry.wc);
            if (index >= behind && (wc.get(JAVA_INT.withByteAlignment(1), WcLayout.STATUS) != 0 || index < unknown
                    && (wc.get(JAVA_INT.withByteAlignment(1), WcLayout.OPCODE) & RECEIVE_BIT) != 0)) {
                return true;
            }
            index++;
        }
        return false;
    }

    /** Moves the oldest completion to an offset of an array; returns false if it is not visible. */
    boolean take(MemorySegment memory, long to, long now) {
        if (!isReady(now)) {
            return false;
        }
        Entry entry = entries.element();
        MemorySegment.copy(MemorySegment.ofArray(entry.wc), 0, memory, to, WcLayout.SIZE);
        entries.remove();
        if (entry.log != null) {
            entry.log.completionDelivered(entry.entries);
        }
        return true;
    }

    /** How many of the oldest completions are of a queue pair. */
    int count(int qpNumber, int oldest) {
        return (int) entries.stream().limit(oldest).filter(entry -> entry.qpNumber() == qpNumber).count();
    }

    /**
     * Removes the completions of a queue pair that has entered RESET or was destroyed, with its {@link RequestLog}s.
     */
    void remove(int qpNumber) {
        entries.removeIf(entry -> entry.qpNumber() == qpNumber);
    }

    /** Makes all completions visible. */
    void release() {
        entries.forEach(entry -> entry.visible = true);
    }
}
