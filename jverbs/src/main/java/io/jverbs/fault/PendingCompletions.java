package io.jverbs.fault;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.WcOpcode;
import io.jverbs.WcStatus;
import io.jverbs.spi.WcLayout;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.function.IntSupplier;

/**
 * The completions of one completion queue that were taken from the device and not polled by the program, oldest first,
 * in a ring buffer. A completion is added whole or, if there is no memory for it, not at all. Guarded by the lock of
 * the context.
 */
final class PendingCompletions {
    /** The delay of a held completion. */
    static final long HELD = Long.MAX_VALUE;
    /** The delay of a completion that is visible at once. */
    static final long AT_ONCE = 0;
    static final int RECEIVE_BIT = WcOpcode.RECV.code();
    private static final int FIRST_CAPACITY = 16;

    static {
        // with this class, because an enum whose initialization fails for lack of memory can never be used
        Objects.requireNonNull(Visibility.VISIBLE);
    }

    /**
     * Whether the program can poll a completion.
     * <pre>
     * state      its time comes    all are released
     * VISIBLE    -                 -
     * DELAYED    visible           VISIBLE
     * HELD       -                 VISIBLE
     * </pre>
     */
    private enum Visibility {
        /** It can be polled. */
        VISIBLE,
        /** It can be polled when the time is {@link Entry#due}. */
        DELAYED,
        /** It cannot be polled until it is released. */
        HELD
    }

    private static final class Entry {
        private final byte[] wc = new byte[(int) WcLayout.SIZE];
        private final RequestLog log;
        /** How many entries of its queue are occupied until it is polled. */
        private final int entries;
        private Visibility visibility = Visibility.VISIBLE;
        private long due;

        Entry(RequestLog log, int entries) {
            this.log = log;
            this.entries = entries;
        }

        int qpNumber() {
            return MemorySegment.ofArray(wc).get(JAVA_INT.withByteAlignment(1), WcLayout.QP_NUM);
        }
    }

    private final IntSupplier most;
    private Entry[] entries = new Entry[FIRST_CAPACITY];
    private int first;
    private int size;

    /**
     * Starts empty.
     *
     * @param most the maximum number of completions; further ones are lost, as when a completion queue overflows
     */
    PendingCompletions(IntSupplier most) {
        this.most = most;
    }

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
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
        if (late != AT_ONCE) {
            entry.visibility = late == HELD ? Visibility.HELD : Visibility.DELAYED;
        }
        entry.due = now + late;
        MemorySegment.copy(memory, at, MemorySegment.ofArray(entry.wc), 0, WcLayout.SIZE);
        add(entry);
    }

    /** Adds a completion with WR_FLUSH_ERR, which is visible at once. */
    void addFlushed(long wrId, boolean receive, int qpNumber, RequestLog log) {
        Entry entry = new Entry(log, 1);
        MemorySegment wc = MemorySegment.ofArray(entry.wc);
        wc.set(JAVA_LONG.withByteAlignment(1), WcLayout.WR_ID, wrId);
        wc.set(JAVA_INT.withByteAlignment(1), WcLayout.STATUS, WcStatus.WR_FLUSH_ERR.code());
        wc.set(JAVA_INT.withByteAlignment(1), WcLayout.OPCODE, receive ? RECEIVE_BIT : 0);
        wc.set(JAVA_INT.withByteAlignment(1), WcLayout.QP_NUM, qpNumber);
        add(entry);
    }

    private void add(Entry entry) {
        if (size >= most.getAsInt()) {
            return;
        }
        if (size == entries.length) {
            // allocates memory and may throw, so nothing may have changed before
            grow();
        }
        entries[first + size & entries.length - 1] = entry;
        size++;
        if (entry.log != null) {
            entry.log.completionWaits(entry.entries);
        }
    }

    private void grow() {
        Entry[] more = new Entry[2 * entries.length];
        for (int i = 0; i < size; i++) {
            more[i] = entry(i);
        }
        entries = more;
        first = 0;
    }

    /** The completion behind a number of older ones. */
    private Entry entry(int older) {
        return entries[first + older & entries.length - 1];
    }

    /** Whether the oldest completion is visible. */
    boolean isReady(long now) {
        return size > 0 && isReady(entry(0), now);
    }

    private static boolean isReady(Entry entry, long now) {
        return entry.visibility == Visibility.VISIBLE
                || entry.visibility == Visibility.DELAYED && now - entry.due >= 0;
    }

    /** How many completions are visible: those before the first one that is not. */
    int ready(long now) {
        int count = 0;
        while (count < size && isReady(entry(count), now)) {
            count++;
        }
        return count;
    }

    /**
     * How many nanoseconds until the first completion that is not visible becomes visible; {@link Long#MAX_VALUE} if
     * there is none or it is held.
     */
    long untilNext(long now) {
        int ready = ready(now);
        return ready == size || entry(ready).visibility == Visibility.HELD ? Long.MAX_VALUE : entry(ready).due - now;
    }

    /**
     * Whether a visible completion counts as solicited: one in error, or a receive completion that may be solicited.
     *
     * @param behind how many completions to skip from the oldest one
     * @param unknown for how many completions from the oldest one it is not known whether they are solicited
     */
    boolean hasSolicited(int behind, int unknown, long now) {
        int ready = ready(now);
        for (int i = behind; i < ready; i++) {
            MemorySegment wc = MemorySegment.ofArray(entry(i).wc);
            if (wc.get(JAVA_INT.withByteAlignment(1), WcLayout.STATUS) != 0 || i < unknown
                    && (wc.get(JAVA_INT.withByteAlignment(1), WcLayout.OPCODE) & RECEIVE_BIT) != 0) {
                return true;
            }
        }
        return false;
    }

    /** Moves the oldest completion to an offset of an array; returns false if it is not visible. */
    boolean take(MemorySegment memory, long to, long now) {
        if (!isReady(now)) {
            return false;
        }
        Entry entry = entry(0);
        MemorySegment.copy(MemorySegment.ofArray(entry.wc), 0, memory, to, WcLayout.SIZE);
        entries[first] = null;
        first = first + 1 & entries.length - 1;
        size--;
        if (entry.log != null) {
            entry.log.completionDelivered(entry.entries);
        }
        return true;
    }

    /** How many of the oldest completions are of a queue pair. */
    int count(int qpNumber, int oldest) {
        int count = 0;
        for (int i = 0; i < Math.min(oldest, size); i++) {
            count += entry(i).qpNumber() == qpNumber ? 1 : 0;
        }
        return count;
    }

    /**
     * Removes the completions of a queue pair that has entered RESET or was destroyed, with its {@link RequestLog}s.
     */
    void remove(int qpNumber) {
        int kept = 0;
        for (int i = 0; i < size; i++) {
            Entry entry = entry(i);
            if (entry.qpNumber() != qpNumber) {
                entries[first + kept++ & entries.length - 1] = entry;
            }
        }
        for (int i = kept; i < size; i++) {
            entries[first + i & entries.length - 1] = null;
        }
        size = kept;
    }

    /** Makes all completions visible. */
    void release() {
        for (int i = 0; i < size; i++) {
            entry(i).visibility = Visibility.VISIBLE;
        }
    }
}
