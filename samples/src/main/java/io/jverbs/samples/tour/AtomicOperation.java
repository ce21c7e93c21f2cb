package io.jverbs.samples.tour;

import io.jverbs.Access;
import io.jverbs.AtomicCapability;
import io.jverbs.QpType;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcOpcode;

/**
 * An atomic operation on a word of the peer: its former value comes back. The word is followed through all iterations,
 * so that each result also proves the one before.
 */
final class AtomicOperation implements Operation {
    /** Which operation it is. */
    enum Kind {
        /** Stores if the word is what was expected: every other time it is, and in between it is not. */
        COMPARE_AND_SWAP(WcOpcode.COMP_SWAP),
        /** Adds. */
        FETCH_AND_ADD(WcOpcode.FETCH_ADD);

        private final WcOpcode completion;

        Kind(WcOpcode completion) {
            this.completion = completion;
        }
    }

    private final Kind kind;
    private final ConnectedPair pair;
    private final Buffer word;
    private final Buffer former;
    private final SendWorkRequest request = SendWorkRequest.create(1).flags(SendFlags.SIGNALED);
    private long wrId;
    private long value;
    private long next;

    AtomicOperation(Sides sides, Kind kind) {
        if (sides.right().device().atomicCapability() == AtomicCapability.NONE) {
            throw new NotOffered("the device has no atomic operations");
        }
        this.kind = kind;
        pair = ConnectedPair.open(QpType.RC, sides);
        word = Buffer.allocate(sides.right().pd(), Long.BYTES, Access.LOCAL_WRITE | Access.REMOTE_ATOMIC);
        former = Buffer.allocate(sides.left().pd(), Long.BYTES, Access.LOCAL_WRITE);
    }

    @Override
    public void prepare(int size, long seed) {
        wrId++;
        value = next;
        word.guard(size);
        former.guard(size);
        former.describe(request.wrId(wrId), size);
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
        pair.leftDone().expectArrival(wrId, kind.completion, Long.BYTES);
    }

    @Override
    public void check() {
        Mismatch.check("former value", value, former.word());
        pair.tellRight();
        Mismatch.check("word of the peer", next, word.word());
        word.checkGuards(Long.BYTES);
        former.checkGuards(Long.BYTES);
    }

    @Override
    public void close() {
        pair.close();
        word.close();
        former.close();
    }
}
