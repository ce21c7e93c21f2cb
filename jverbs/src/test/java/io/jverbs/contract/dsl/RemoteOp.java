package io.jverbs.contract.dsl;

import io.jverbs.Access;
import io.jverbs.WcOpcode;
import io.jverbs.contract.end.SendSpec;
import io.jverbs.contract.end.Sge;

/** Operations on a peer's memory, for parameterized tests. All of them transfer 8 bytes. */
public enum RemoteOp {
    /** RDMA WRITE. */
    WRITE(Access.REMOTE_WRITE, WcOpcode.RDMA_WRITE),
    /** RDMA READ. */
    READ(Access.REMOTE_READ, WcOpcode.RDMA_READ),
    /** Swaps 0 for 1. */
    COMPARE_AND_SWAP(Access.REMOTE_ATOMIC, WcOpcode.COMP_SWAP),
    /** Adds 1. */
    FETCH_AND_ADD(Access.REMOTE_ATOMIC, WcOpcode.FETCH_ADD);

    /** Number of bytes that the operation accesses on each side. */
    public static final int BYTES = 8;

    private final int right;
    private final WcOpcode completion;

    RemoteOp(int right, WcOpcode completion) {
        this.right = right;
        this.completion = completion;
    }

    /** Returns the remote right that the operation needs. */
    public int right() {
        return right;
    }

    /** Returns the opcode of its successful completion. */
    public WcOpcode completion() {
        return completion;
    }

    public boolean isAtomic() {
        return right == Access.REMOTE_ATOMIC;
    }

    /** Returns whether the operation changes the peer's memory. Atomics change it if the word is 0. */
    public boolean changesTarget() {
        return this != READ;
    }

    /** Returns the request. Atomics swap 0 for 1 or add 1. */
    public SendSpec spec(long address, int rkey, Sge local) {
        return switch (this) {
            case WRITE -> SendSpec.write(address, rkey, local);
            case READ -> SendSpec.read(address, rkey, local);
            case COMPARE_AND_SWAP -> SendSpec.compareAndSwap(address, rkey, 0, 1, local);
            case FETCH_AND_ADD -> SendSpec.fetchAndAdd(address, rkey, 1, local);
        };
    }

    /** Returns the request on the first word of a region. */
    public SendSpec on(Region target, Sge local) {
        return spec(target.address(), target.rkey(), local);
    }
}
