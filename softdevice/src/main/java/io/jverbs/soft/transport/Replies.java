package io.jverbs.soft.transport;

import java.util.Arrays;

/**
 * Answers of a responder that carry data, READs and atomics, in the order in which they were asked for: those to be sent and,
 * behind them, those that were, for peers that ask again. Guarded by the responder's lock.
 */
final class Replies {
    /** Twice what a peer may have under way. */
    private static final int SIZE = 64;

    private final int[] psns = new int[SIZE];
    private final int[] packets = new int[SIZE];
    private final boolean[] atomics = new boolean[SIZE];
    private final boolean[] repeats = new boolean[SIZE];
    private final int[] rkeys = new int[SIZE];
    /** The address of a READ, the former value of an atomic. */
    private final long[] values = new long[SIZE];
    private final long[] lengths = new long[SIZE];
    private final int[] msns = new int[SIZE];
    private int head;
    private int tail;
    /** Packets of the one at the head that have left. */
    private int sent;

    void clear() {
        head = tail;
        sent = 0;
        Arrays.fill(packets, 0);
    }

    boolean isEmpty() {
        return head == tail;
    }

    boolean isFull() {
        return tail - head == SIZE / 2;
    }

    private int add(int psn, int count, boolean atomic, long value, int msn) {
        int slot = tail++ & SIZE - 1;
        psns[slot] = psn;
        packets[slot] = count;
        atomics[slot] = atomic;
        values[slot] = value;
        msns[slot] = msn;
        return slot;
    }

    void addRead(int psn, int count, long address, int rkey, long length, int msn, boolean repeat) {
        int slot = add(psn, count, false, address, msn);
        repeats[slot] = repeat;
        rkeys[slot] = rkey;
        lengths[slot] = length;
    }

    void addAtomic(int psn, long original, int msn) {
        add(psn, 1, true, original, msn);
    }

    /** The slot of the answer to send next. */
    int current() {
        return head & SIZE - 1;
    }

    int psn(int slot) {
        return psns[slot];
    }

    int packets(int slot) {
        return packets[slot];
    }

    boolean isAtomic(int slot) {
        return atomics[slot];
    }

    long value(int slot) {
        return values[slot];
    }

    int rkey(int slot) {
        return rkeys[slot];
    }

    long length(int slot) {
        return lengths[slot];
    }

    /** Whether a READ was answered before. */
    boolean isRepeat(int slot) {
        return repeats[slot];
    }

    int msn(int slot) {
        return msns[slot];
    }

    int sent() {
        return sent;
    }

    /** Notes that a packet of the current answer has left; the next answer is current after its last. */
    void packetSent() {
        if (++sent == packets[current()]) {
            sent = 0;
            head++;
        }
    }

    /** The current answer does not leave. */
    void skip() {
        packets[current()] = 0;
        sent = 0;
        head++;
    }

    /** Sends the current answer, of a READ, again from a PSN if it has that; false if it has not. */
    boolean rewind(int psn) {
        if (isEmpty() || atomics[current()]) {
            return false;
        }
        int into = Psns.difference(psn, psns[current()]);
        if (into < 0 || into >= packets[current()]) {
            return false;
        }
        sent = Math.min(sent, into);
        return true;
    }

    /** The slot of the answer that had a PSN among its own and has been sent, or -1. */
    int find(int psn) {
        for (int position = head - 1; position != head - 1 - SIZE / 2; position--) {
            int slot = position & SIZE - 1;
            int into = Psns.difference(psn, psns[slot]);
            if (into >= 0 && into < packets[slot]) {
                return slot;
            }
        }
        return -1;
    }
}
