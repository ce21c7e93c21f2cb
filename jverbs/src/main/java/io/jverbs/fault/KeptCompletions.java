package io.jverbs.fault;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.jverbs.spi.WcLayout;
import java.lang.foreign.MemorySegment;

/**
 * The completions of one completion queue that were taken from the device and could not be processed, because an
 * exception or Error was thrown. They are processed before further completions are taken. Guarded by the lock of the
 * context.
 */
final class KeptCompletions {
    private static final int WORDS = (int) WcLayout.SIZE / Long.BYTES;
    private static final long UNDECIDED = Long.MIN_VALUE;

    /** A {@code long[]} with room for the completions of one poll. */
    private MemorySegment memory = MemorySegment.ofArray(new long[0]);
    private int first;
    private int end;
    /** What was decided for the completion that is processed now, see {@link #decide}. */
    private long decision = UNDECIDED;
    private RequestLog log;
    private int entries;

    boolean isEmpty() {
        return first == end;
    }

    /** Makes room for completions that are about to be taken from the device: later there may be no memory left. */
    void reserve(int count) {
        if (count * WcLayout.SIZE > memory.byteSize()) {
            memory = MemorySegment.ofArray(new long[Math.multiplyExact(count, WORDS)]);
        }
    }

    /** Copies the oldest completions, which stay here until they are processed; returns their number. */
    int copyTo(MemorySegment to, int max) {
        int count = Math.min(max, end - first);
        MemorySegment.copy(memory, first * WcLayout.SIZE, to, 0, count * WcLayout.SIZE);
        return count;
    }

    /** Keeps completions of an array, from an index on, the first of which may have been changed. */
    void keep(MemorySegment from, int index, int count) {
        boolean known = first != end;
        if (!known) {
            first = 0;
            end = count;
        }
        MemorySegment.copy(from, index * WcLayout.SIZE, memory, first * WcLayout.SIZE,
                Math.min(known ? 1 : count, count) * WcLayout.SIZE);
    }

    /** Whether it is decided what happens to the completion that is processed now. */
    boolean isDecided() {
        return decision != UNDECIDED;
    }

    /** The delay of the completion that is processed now; see {@link CompletionFilter}. */
    long decision() {
        return decision;
    }

    /** The requests of the queue that its request occupies; null if its queue pair was destroyed. */
    RequestLog log() {
        return log;
    }

    /** How many entries of the queue its request and those before it occupy. */
    int entries() {
        return entries;
    }

    /**
     * Records what happens to the completion that is processed now, so that no rule is applied to it again and its
     * request is not counted again.
     */
    void decide(long delay, RequestLog itsLog, int itsEntries) {
        decision = delay;
        log = itsLog;
        entries = itsEntries;
    }

    /** Removes the completions of a queue pair that has entered RESET or was destroyed. */
    void remove(int qpNumber) {
        int to = first;
        for (int i = first; i < end; i++) {
            if (memory.get(JAVA_INT, i * WcLayout.SIZE + WcLayout.QP_NUM) != qpNumber) {
                MemorySegment.copy(memory, i * WcLayout.SIZE, memory, to * WcLayout.SIZE, WcLayout.SIZE);
                to++;
            } else if (i == first) {
                decision = UNDECIDED;
                log = null;
            }
        }
        end = to;
    }

    /** Goes on to the next completion. */
    void processed() {
        decision = UNDECIDED;
        log = null;
        if (first != end) {
            first++;
        }
    }
}
