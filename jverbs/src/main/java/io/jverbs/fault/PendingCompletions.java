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
    /** The time at which an entry that is held becomes visible. */
    static final long NEVER = Long.MAX_VALUE;
    /** The time at which others do. */
    static final long AT_ONCE = 0;
    private static final int RECEIVE_BIT = WcOpcode.RECV.code();

    private static final class Entry {
        private final byte[] wc = new byte[(int) WcLayout.SIZE];
        private long due;
    }

    private final Deque<Entry> entries = new ArrayDeque<>();

    boolean isEmpty() {
        return entries.isEmpty();
    }

    int size() {
        return entries.size();
    }

    /** Adds the completion that lies in a place of an array, visible at a time of {@link System#nanoTime}. */
    void add(MemorySegment memory, long at, long due) {
        Entry entry = new Entry();
        entry.due = due;
        MemorySegment.copy(memory, at, MemorySegment.ofArray(entry.wc), 0, WcLayout.SIZE);
        entries.add(entry);
    }

    /** Adds the completion of a request that was flushed. */
    void addFlushed(long wrId, boolean receive, int qpNumber) {
        Entry entry = new Entry();
        MemorySegment wc = MemorySegment.ofArray(entry.wc);
        wc.set(JAVA_LONG.withByteAlignment(1), WcLayout.WR_ID, wrId);
        wc.set(JAVA_INT.withByteAlignment(1), WcLayout.STATUS, WcStatus.WR_FLUSH_ERR.code());
        wc.set(JAVA_INT.withByteAlignment(1), WcLayout.OPCODE, receive ? RECEIVE_BIT : 0);
        wc.set(JAVA_INT.withByteAlignment(1), WcLayout.QP_NUM, qpNumber);
        entries.add(entry);
    }

    /** Whether the oldest is visible. */
    boolean isReady(long now) {
        return !entries.isEmpty() && isReady(entries.peek(), now);
    }

    private static boolean isReady(Entry entry, long now) {
        return entry.due == AT_ONCE || entry.due != NEVER && now - entry.due >= 0;
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

    /** Whether of those that are visible one behind the first so many counts as solicited: an error or a receive. */
    boolean hasSolicited(int behind, long now) {
        int index = 0;
        for (Entry entry : entries) {
            if (!isReady(entry, now)) {
                return false;
            }
            MemorySegment wc = MemorySegment.ofArray(entry.wc);
            if (index++ >= behind && (wc.get(JAVA_INT.withByteAlignment(1), WcLayout.STATUS) != 0
                    || (wc.get(JAVA_INT.withByteAlignment(1), WcLayout.OPCODE) & RECEIVE_BIT) != 0)) {
                return true;
            }
        }
        return false;
    }

    /** Moves at most so many that are visible to an array, from a place on; returns how many. */
    int take(MemorySegment memory, long to, int max, long now) {
        int count = 0;
        while (count < max && isReady(now)) {
            MemorySegment.copy(MemorySegment.ofArray(entries.remove().wc), 0, memory, to + count * WcLayout.SIZE,
                    WcLayout.SIZE);
            count++;
        }
        return count;
    }

    /** Makes all visible. */
    void release() {
        entries.forEach(entry -> entry.due = AT_ONCE);
    }
}
