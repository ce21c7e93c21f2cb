package io.jverbs.soft.transport.rc;

import io.jverbs.soft.protocol.Psns;
import java.util.Arrays;

/**
 * The responder resources of a reliable connection: the latest READs and atomics of the peer, in the order of their
 * PSNs, with what their responses need. A response is due until it is sent; when the peer repeats the request, the
 * response, or a part of it, is due again. The due response with the lowest PSN is sent first, because a requester
 * accepts responses only in that order. Guarded by the responder's lock.
 */
final class ResponderResources {
    /** The initial number of slots, a power of two. */
    private static final int INITIAL_SLOTS = 64;
    /** The number of longs of a slot. The constants below are their indexes. */
    private static final int WORDS = 8;
    /** The PSN, the MSN and flags, from the lowest bit on. */
    private static final int NUMBERS = 0;
    /** The number of response packets in the upper half, the rkey of a READ in the lower half. */
    private static final int PACKETS = 1;
    /** The remote address of a READ; the original value of an atomic. */
    private static final int VALUE = 2;
    private static final int LENGTH = 3;
    /** The index of the packet that is sent next. */
    private static final int NEXT = 4;
    /** The index of the first packet of the present transmission. */
    private static final int FIRST = 5;
    /** The index after the last packet of the present transmission. */
    private static final int END = 6;
    /** The number of bytes of the response up to the end of the present transmission. */
    private static final int END_BYTES = 7;
    private static final int MSN_SHIFT = 24;
    private static final long ATOMIC = 1L << 48;
    /** The response was sent completely. */
    private static final long SENT = 1L << 49;
    /** The response, or a part of it, is to be sent. */
    private static final long DUE = 1L << 50;
    private static final long LOW = 0xFFFF_FFFFL;

    private long[] slots = new long[INITIAL_SLOTS * WORDS];
    private int mask = INITIAL_SLOTS - 1;
    /** The position of the next request. As many requests before it are kept as there are slots. */
    private int tail;
    /** The position of the first response that is due. */
    private int first;
    /** The number of responses that are due. */
    private int due;
    /** The number of due responses that have never been sent completely. */
    private int unsent;

    void clear() {
        Arrays.fill(slots, 0);
        first = tail;
        due = 0;
        unsent = 0;
    }

    /** Reserves room for the number of READs and atomics that the peer may have outstanding. */
    void reserve(int outstanding) {
        while (outstanding > mask + 1 >>> 1) {
            long[] from = slots;
            int before = mask;
            slots = new long[2 * from.length];
            mask = 2 * before + 1;
            for (int position = tail - before - 1; position != tail; position++) {
                System.arraycopy(from, (position & before) * WORDS, slots, (position & mask) * WORDS, WORDS);
            }
        }
    }

    /** Whether no response is due. */
    boolean isEmpty() {
        return due == 0;
    }

    /** The number of due responses that have never been sent completely. */
    int unsent() {
        return unsent;
    }

    /** The number of response packets that are due, or a maximum if there are more. */
    int packetsDue(int max) {
        int packets = 0;
        for (int position = first; position != tail && packets < max; position++) {
            int slot = position & mask;
            if (is(slot, DUE)) {
                packets += (int) (word(slot, END) - word(slot, NEXT));
            }
        }
        return Math.min(packets, max);
    }

    private int add(int psn, int msn, long kind, int count, long value) {
        int slot = tail & mask;
        int word = slot * WORDS;
        if (is(slot, DUE)) {
            // a peer that sends another request does not need a response that is so old
            finish(tail - mask - 1);
        }
        slots[word + NUMBERS] = (long) msn << MSN_SHIFT | psn | kind | DUE;
        slots[word + PACKETS] = (long) count << Integer.SIZE;
        slots[word + VALUE] = value;
        slots[word + LENGTH] = 0;
        if (due == 0) {
            first = tail;
        }
        tail++;
        due++;
        unsent++;
        transmit(slot, 0, count, 0);
        return word;
    }

    private void transmit(int slot, int from, int end, long endBytes) {
        int word = slot * WORDS;
        slots[word + NEXT] = from;
        slots[word + FIRST] = from;
        slots[word + END] = end;
        slots[word + END_BYTES] = endBytes;
    }

    /** Adds a READ, whose response is due. */
    void addRead(int psn, int count, long address, int rkey, long length, int msn) {
        int word = add(psn, msn, 0, count, address);
        slots[word + PACKETS] |= rkey & LOW;
        slots[word + LENGTH] = length;
        slots[word + END_BYTES] = length;
    }

    /** Adds an atomic, whose response is due. */
    void addAtomic(int psn, long original, int msn) {
        add(psn, msn, ATOMIC, 1, original);
    }

    /**
     * Makes a response due again, also while it is being sent.
     *
     * @param from the index of the first packet to send: the peer has the packets before it
     * @param end the index after the last packet to send
     * @param endBytes the number of bytes of the response up to {@code end}
     */
    void addAgain(int slot, int from, int end, long endBytes) {
        transmit(slot, from, end, endBytes);
        if (!is(slot, DUE)) {
            slots[slot * WORDS + NUMBERS] |= DUE;
            int position = tail - 1 - (tail - 1 - slot & mask);
            first = due == 0 || position - first < 0 ? position : first;
            due++;
        }
    }

    /** The slot of the response that is sent next. */
    int current() {
        return first & mask;
    }

    private long word(int slot, int which) {
        return slots[slot * WORDS + which];
    }

    private boolean is(int slot, long flag) {
        return (word(slot, NUMBERS) & flag) != 0;
    }

    int psn(int slot) {
        return (int) word(slot, NUMBERS) & Psns.MASK;
    }

    int msn(int slot) {
        return (int) (word(slot, NUMBERS) >>> MSN_SHIFT) & Psns.MASK;
    }

    boolean isAtomic(int slot) {
        return is(slot, ATOMIC);
    }

    /** Whether the response was sent completely before. */
    boolean isRepeat(int slot) {
        return is(slot, SENT);
    }

    /** The number of packets of the whole response. */
    int packets(int slot) {
        return (int) (word(slot, PACKETS) >>> Integer.SIZE);
    }

    int rkey(int slot) {
        return (int) word(slot, PACKETS);
    }

    /** The remote address of a READ; the original value of an atomic. */
    long value(int slot) {
        return word(slot, VALUE);
    }

    long length(int slot) {
        return word(slot, LENGTH);
    }

    /** The index of the packet that is sent next. */
    int next(int slot) {
        return (int) word(slot, NEXT);
    }

    /** Whether the next packet is the first of the present transmission. */
    boolean begins(int slot) {
        return word(slot, NEXT) == word(slot, FIRST);
    }

    /** Whether the next packet is the last of the present transmission. */
    boolean ends(int slot) {
        return word(slot, NEXT) + 1 == word(slot, END);
    }

    /** The number of bytes of the response up to the end of the present transmission. */
    long endBytes(int slot) {
        return word(slot, END_BYTES);
    }

    /** Records that a packet of the current response was sent. After its last packet, the next response is current. */
    void packetSent() {
        if (++slots[current() * WORDS + NEXT] == word(current(), END)) {
            finish(first);
        }
    }

    /** Discards the current response: it is not sent and cannot be repeated. */
    void skip() {
        slots[current() * WORDS + PACKETS] = 0;
        finish(first);
    }

    private void finish(int position) {
        int slot = position & mask;
        if (!is(slot, SENT)) {
            unsent--;
        }
        slots[slot * WORDS + NUMBERS] = word(slot, NUMBERS) & ~DUE | SENT;
        due--;
        while (first != tail && !is(first & mask, DUE)) {
            first++;
        }
    }

    /** The slot of the latest request whose PSNs include a PSN, or -1 if there is none. */
    int find(int psn) {
        for (int position = tail - 1; position != tail - mask - 2; position--) {
            int slot = position & mask;
            int into = Psns.difference(psn, psn(slot));
            if (into >= 0 && into < packets(slot)) {
                return slot;
            }
        }
        return -1;
    }
}
