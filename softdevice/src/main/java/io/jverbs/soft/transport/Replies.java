package io.jverbs.soft.transport;

import java.util.Arrays;

/**
 * Answers of a responder that carry data, READs and atomics, in the order in which they were asked for: those to be sent and,
 * behind them, those that were, for peers that ask again. Guarded by the responder's lock.
 */
final class Replies {
    /** Answers held in any case, half of which may be to be sent; a power of two. */
    private static final int SMALLEST = 64;
    // an answer: the longs of a slot
    private static final int WORDS = 4;
    /** PSN, MSN and the kind, from the lowest bit. */
    private static final int NUMBERS = 0;
    /** How many packets, and the key of a READ's memory below it. */
    private static final int PACKETS = 1;
    /** The address of a READ, the former value of an atomic. */
    private static final int VALUE = 2;
    private static final int LENGTH = 3;
    private static final int MSN_SHIFT = 24;
    private static final long ATOMIC = 1L << 48;
    private static final long REPEAT = 1L << 49;
    private static final long LOW = 0xFFFF_FFFFL;

    private long[] slots = new long[SMALLEST * WORDS];
    private int mask = SMALLEST - 1;
    private int head;
    private int tail;
    /** Packets of the one at the head that have left. */
    private int sent;

    void clear() {
        head = tail;
        sent = 0;
        Arrays.fill(slots, 0);
    }

    /** Makes room for a peer that may have so many under way. */
    void reserve(int underWay) {
        while (underWay > mask + 1 >>> 1) {
            long[] from = slots;
            int before = mask;
            slots = new long[2 * from.length];
            mask = 2 * before + 1;
            for (int position = tail - before - 1; position != tail; position++) {
                System.arraycopy(from, (position & before) * WORDS, slots, (position & mask) * WORDS, WORDS);
            }
        }
    }

    boolean isEmpty() {
        return head == tail;
    }

    boolean isFull() {
        return tail - head == mask + 1 >>> 1;
    }

    private int add(int psn, int msn, long kind, int count, long value) {
        int word = (tail++ & mask) * WORDS;
        slots[word + NUMBERS] = (long) msn << MSN_SHIFT | psn | kind;
        slots[word + PACKETS] = (long) count << Integer.SIZE;
        slots[word + VALUE] = value;
        return word;
    }

    void addRead(int psn, int count, long address, int rkey, long length, int msn, boolean repeat) {
        int word = add(psn, msn, repeat ? REPEAT : 0, count, address);
        slots[word + PACKETS] |= rkey & LOW;
        slots[word + LENGTH] = length;
    }

    void addAtomic(int psn, long original, int msn) {
        add(psn, msn, ATOMIC, 1, original);
    }

    /** The slot of the answer to send next. */
    int current() {
        return head & mask;
    }

    private long word(int slot, int which) {
        return slots[slot * WORDS + which];
    }

    int psn(int slot) {
        return (int) word(slot, NUMBERS) & Psns.MASK;
    }

    int msn(int slot) {
        return (int) (word(slot, NUMBERS) >>> MSN_SHIFT) & Psns.MASK;
    }

    boolean isAtomic(int slot) {
        return (word(slot, NUMBERS) & ATOMIC) != 0;
    }

    /** Whether a READ was answered before. */
    boolean isRepeat(int slot) {
        return (word(slot, NUMBERS) & REPEAT) != 0;
    }

    int packets(int slot) {
        return (int) (word(slot, PACKETS) >>> Integer.SIZE);
    }

    int rkey(int slot) {
        return (int) word(slot, PACKETS);
    }

    long value(int slot) {
        return word(slot, VALUE);
    }

    long length(int slot) {
        return word(slot, LENGTH);
    }

    int sent() {
        return sent;
    }

    /** Notes that a packet of the current answer has left; the next answer is current after its last. */
    void packetSent() {
        if (++sent == packets(current())) {
            sent = 0;
            head++;
        }
    }

    /** The current answer does not leave. */
    void skip() {
        slots[current() * WORDS + PACKETS] = 0;
        sent = 0;
        head++;
    }

    /** Sends the current answer, of a READ, again from a PSN if it has that; false if it has not. */
    boolean rewind(int psn) {
        if (isEmpty() || isAtomic(current())) {
            return false;
        }
        int into = Psns.difference(psn, psn(current()));
        if (into < 0 || into >= packets(current())) {
            return false;
        }
        sent = Math.min(sent, into);
        return true;
    }

    /** The slot of the answer that had a PSN among its own and has been sent, or -1. */
    int find(int psn) {
        for (int position = head - 1; position != head - 1 - (mask + 1 >>> 1); position--) {
            int slot = position & mask;
            int into = Psns.difference(psn, psn(slot));
            if (into >= 0 && into < packets(slot)) {
                return slot;
            }
        }
        return -1;
    }
}
