package io.jverbs.fault;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.WcOpcode;
import io.jverbs.WcStatus;
import io.jverbs.spi.WcLayout;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;

/** Completions of one queue that were taken from the device and not yet given to the program, oldest first. */
final class PendingCompletions {
    /** How late an entry is that is held. */
    static final long HELD = Long.MAX_VALUE;
    /** How late others are that are not late. */
    static final long AT_ONCE = 0;
    static final int RECEIVE_BIT = WcOpcode.RECV.code();

    private static final class Entry {
        private final byte[] wc = new byte[(int) WcLayout.SIZE];
        private final RequestLog log;
        private boolean visible;
        private boolean held;
        private long due;

        Entry(RequestLog log) {
            this.log = log;
        }
    }

    private final Deque<Entry> entries = new ArrayDeque<>();

    boolean isEmpty() {
        return entries.isEmpty();
    }

    int size() {
        return entries.size();
    }

    /**
     * Adds the completion that lies in a place of an array.
     *
     * @param late how many nanoseconds from now it becomes visible, or {@link #HELD}
     * @param log what the request was posted to, whose place it keeps; null if that is gone
     */
    void add(MemorySegment memory, long at, long late, long now, RequestLog log) {
        Entry entry = new Entry(log);
        entry.visible = late == AT_ONCE;
        entry.held = late == HELD;
        entry.due = now + late;
        MemorySegment.copy(memory, at, MemorySegment.ofArray(entry.wc), 0, WcLayout.SIZE);
        add(entry);
    }

    /** Adds the completion of a request that was flushed. */
    void addFlushed(long wrId, boolean receive, int qpNumber, RequestLog log) {
        Entry entry = new Entry(log);
        entry.visible = true;
        MemorySegment wc = MemorySegment.ofArray(entry.wc);
        wc.set(JAVA_LONG.withByteAlignment(1), WcLayout.WR_ID, wrId);
        wc.set(JAVA_INT.withByteAlignment(1), WcLayout.STATUS, WcStatus.WR_FLUSH_ERR.code());
        wc.set(JAVA_INT.withByteAlignment(1), WcLayout.OPCODE, receive ? RECEIVE_BIT : 0);
        wc.set(JAVA_INT.withByteAlignment(1), WcLayout.QP_NUM, qpNumber);
        add(entry);
    }

    private void add(Entry entry) {
        if (entry.log != null) {
            entry.log.waits();
        }
        entries.add(entry);
    }

    /** Whether the oldest is visible. */
    boolean isReady(long now) {
        return !entries.isEmpty() && isReady(entries.peek(), now);
    }

    private static boolean isReady(Entry entry, long now) {
        return entry.visible || !entry.held && now - entry.due >= 0;
    }

    /** How many are visible: those before the first that is not. */
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

    /** In how many nanoseconds the first that is not visible becomes so; {@link Long#MAX_VALUE} if there is none or it is held. */
    long untilNext(long now) {
        for (Entry entry : entries) {
            if (!isReady(entry, now)) {
                return entry.held ? Long.MAX_VALUE : entry.due - now;
            }
        }
        return Long.MAX_VALUE;
    }

    /**
     * Whether one of those that are visible, behind the first so many, counts as solicited: an error, or a receive of whose sender's
     * wish nothing is known.
     *
     * @param unknown of how many from the first on nothing is known
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

    /** Moves at most so many that are visible to an array, from a place on; returns how many. */
    int take(MemorySegment memory, long to, int max, long now) {
        int count = 0;
        while (count < max && isReady(now)) {
            Entry entry = entries.remove();
            MemorySegment.copy(MemorySegment.ofArray(entry.wc), 0, memory, to + count * WcLayout.SIZE, WcLayout.SIZE);
            if (entry.log != null) {
                entry.log.delivered();
            }
            count++;
        }
        return count;
    }

    /** Makes all visible. */
    void release() {
        entries.forEach(entry -> entry.visible = true);
    }
}
