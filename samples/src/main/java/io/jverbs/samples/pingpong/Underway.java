package io.jverbs.samples.pingpong;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/**
 * Which messages of this side are underway, for a peer that has several queue pairs and a single buffer, as the C program for
 * shared receive queues: what comes back from it is, byte by byte, what came last to that buffer through any queue pair. Each
 * byte must be that of a message that was underway at that time: two processors that copy byte by byte mix messages as finely.
 * For one thread; allocates nothing once it is made.
 */
final class Underway {
    private final int[] psns;
    private final byte filler;
    /** For each queue pair, how many of its messages were made and how many of them have come back. */
    private final int[] made;
    private final int[] back;
    /** For each queue pair (row), what {@link #back} was when its last message was made. */
    private final int[] backAtMaking;

    private MemorySegment message;
    private long at;
    private int length;
    private long value;
    private int row;
    private boolean withFiller;
    private long key;
    /** A bit for each byte of the value at hand that some message explains. */
    private int explained;

    Underway(int[] psns, byte filler) {
        this.psns = psns;
        this.filler = filler;
        made = new int[psns.length];
        back = new int[psns.length];
        backAtMaking = new int[psns.length * psns.length];
    }

    /** Counts a message that is made for a queue pair. */
    void make(int qp) {
        System.arraycopy(back, 0, backAtMaking, qp * psns.length, psns.length);
        made[qp]++;
    }

    /** Counts a message that has come back. */
    void comeBack(int qp) {
        back[qp]++;
    }

    /**
     * {@return the first byte of what came that no message underway explains, -1 if there is none}
     *
     * @param qp the queue pair to which it came
     * @param came what came
     * @param initial whether the peer may have sent the initial contents of its buffer
     */
    long mismatch(int qp, MemorySegment came, boolean initial) {
        message = came;
        row = qp * psns.length;
        withFiller = initial;
        key = 0;
        for (at = 0; at < came.byteSize(); at += Long.BYTES) {
            length = (int) Math.min(Long.BYTES, came.byteSize() - at);
            value = load();
            explained = 0;
            if (key == 0 || !explain(MessagePattern.word(key, at))) {
                search();
            }
            if (explained != all()) {
                return at + Integer.numberOfTrailingZeros(~explained);
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

    /** Looks for a message that has these bytes, or for several that have each of them. */
    private void search() {
        for (int qp = 0; qp < psns.length; qp++) {
            for (int number = backAtMaking[row + qp]; number < made[qp]; number++) {
                long candidate = MessagePattern.key(psns[qp], number, true);
                if (explain(MessagePattern.word(candidate, at))) {
                    key = candidate;
                    return;
                }
            }
        }
        if (withFiller) {
            explain((filler & 0xffL) * 0x0101_0101_0101_0101L);
        }
    }

    /** {@return whether all of the bytes are those of a message; notes which of them are} */
    private boolean explain(long word) {
        long difference = value ^ word;
        int equal = 0;
        for (int i = 0; i < length; i++) {
            if ((difference >>> i * Byte.SIZE & 0xff) == 0) {
                equal |= 1 << i;
            }
        }
        explained |= equal;
        return equal == all();
    }

    private int all() {
        return (1 << length) - 1;
    }
}
