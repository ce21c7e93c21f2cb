package io.jverbs.samples.pingpong;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/**
 * The messages of this side that are in flight, for a peer with several queue pairs and a single buffer, like the C
 * program for shared receive queues. Such a peer returns what was last written to its buffer, by any queue pair. Two
 * processors may write to the buffer at the same time, so each byte of a returned message may be from another message
 * that was in flight. Not thread-safe; allocates nothing after construction.
 */
final class InFlightMessages {
    private final int[] psns;
    private final byte filler;
    /** The number of messages that each queue pair has sent, and the number of them that have returned. */
    private final int[] sent;
    private final int[] returned;
    /** For each queue pair, a row with the values of {@link #returned} when it sent its last message. */
    private final int[] returnedAtSend;

    // the state of a call of mismatch
    private MemorySegment message;
    private long at;
    private int length;
    private long value;
    private int row;
    private boolean withFiller;
    private long key;
    /** A bit for each byte of {@link #value} that equals the byte of a message in flight. */
    private int matched;

    InFlightMessages(int[] psns, byte filler) {
        this.psns = psns;
        this.filler = filler;
        sent = new int[psns.length];
        returned = new int[psns.length];
        returnedAtSend = new int[psns.length * psns.length];
    }

    /** Counts a message that a queue pair sends. */
    void sent(int qp) {
        System.arraycopy(returned, 0, returnedAtSend, qp * psns.length, psns.length);
        sent[qp]++;
    }

    /** Counts a message that has returned. */
    void returned(int qp) {
        returned[qp]++;
    }

    /**
     * {@return the index of the first byte that is from no message in flight, -1 if there is none}
     *
     * @param qp the queue pair that received the message
     * @param received the message
     * @param initial whether the peer may have sent the initial contents of its buffer
     */
    long mismatch(int qp, MemorySegment received, boolean initial) {
        message = received;
        row = qp * psns.length;
        withFiller = initial;
        key = 0;
        for (at = 0; at < received.byteSize(); at += Long.BYTES) {
            length = (int) Math.min(Long.BYTES, received.byteSize() - at);
            value = load();
            matched = 0;
            // most words are from the same message as the word before
            if (key == 0 || !match(MessagePattern.word(key, at))) {
                search();
            }
            if (matched != all()) {
                return at + Integer.numberOfTrailingZeros(~matched);
            }
        }
        return -1;
    }

    private long load() {
        long loaded = 0;
        for (int i = 0; i < length; i++) {
            loaded |= (message.get(JAVA_BYTE, at + i) & 0xffL) << i * Byte.SIZE;
        }
        return loaded;
    }

    /** Searches for a message in flight with all bytes of the value, or for several that together have them. */
    private void search() {
        for (int qp = 0; qp < psns.length; qp++) {
            for (int number = returnedAtSend[row + qp]; number < sent[qp]; number++) {
                long candidate = MessagePattern.key(psns[qp], number, true);
                if (match(MessagePattern.word(candidate, at))) {
                    key = candidate;
                    return;
                }
            }
        }
        if (withFiller) {
            match((filler & 0xffL) * 0x0101_0101_0101_0101L);
        }
    }

    /** {@return whether all bytes of the value equal those of a word; adds those that do to {@link #matched}} */
    private boolean match(long word) {
        long difference = value ^ word;
        int equal = 0;
        for (int i = 0; i < length; i++) {
            if ((difference >>> i * Byte.SIZE & 0xff) == 0) {
                equal |= 1 << i;
            }
        }
        matched |= equal;
        return equal == all();
    }

    private int all() {
        return (1 << length) - 1;
    }
}
