package io.jverbs.samples.tour.operation;

import io.jverbs.Access;
import io.jverbs.AtomicCapability;
import io.jverbs.QpType;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcOpcode;

/**
 * An atomic operation on a word in the peer's memory, which returns the original value. The word is used in all
 * iterations, so that each returned value also verifies the iteration before.
 */
public final class AtomicOperation implements Operation {
    /** The two atomic operations. */
    public enum Kind {
        /** Stores if the word has the expected value, which it has in every second iteration. */
        COMPARE_AND_SWAP(WcOpcode.COMP_SWAP),
        /** Adds a value. */
        FETCH_AND_ADD(WcOpcode.FETCH_ADD);

        private final WcOpcode completion;

        Kind(WcOpcode completion) {
            this.completion = completion;
        }
    }

    private final Kind kind;
    private final ConnectedPair pair;
    private final Buffer word;
    private final Buffer original;
    private final SendWorkRequest request = SendWorkRequest.create(1).flags(SendFlags.SIGNALED);
    private long wrId;
    private long value;
    private long next;

    public AtomicOperation(Sides sides, Kind kind) {
        if (sides.right().device().atomicCapability() == AtomicCapability.NONE) {
            throw new NotSupported("the device has no atomic operations");
        }
        this.kind = kind;
        pair = ConnectedPair.open(QpType.RC, sides);
        word = Buffer.allocate(sides.right().pd(), Long.BYTES, Access.LOCAL_WRITE | Access.REMOTE_ATOMIC);
        original = Buffer.allocate(sides.left().pd(), Long.BYTES, Access.LOCAL_WRITE);
    }

    @Override
    public void prepare(int size, long seed) {
        wrId++;
        value = next;
        word.guard(size);
        original.guard(size);
        original.setElement(request.wrId(wrId), size);
        if (kind == Kind.FETCH_AND_ADD) {
            request.fetchAndAdd(word.address(), word.rkey(), seed);
            next = value + seed;
        } else {
            boolean matches = wrId % 2 == 0;
            request.compareAndSwap(word.address(), word.rkey(), matches ? value : ~value, seed);
            next = matches ? seed : value;
        }
    }

    @Override
    public void run() {
        pair.left().postSend(request);
        pair.leftDone().expect(wrId, kind.completion, Long.BYTES);
    }

    @Override
    public void check() {
        Mismatch.check("original value", value, original.word());
        pair.notifyRight();
        Mismatch.check("word of the peer", next, word.word());
        word.checkGuards(Long.BYTES);
        original.checkGuards(Long.BYTES);
    }

    @Override
    public void close() {
        pair.close();
        word.close();
        original.close();
    }
}
