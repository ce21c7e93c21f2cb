package io.jverbs.samples.tour.operation;

import io.jverbs.Access;
import io.jverbs.QpType;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcFlags;
import io.jverbs.WcOpcode;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;

/** RDMA WRITE with immediate data: also completes a receive of the peer, whose completion has 32 bits of data. */
public final class WriteWithImmediateOperation implements Operation {
    private final ConnectedPair pair;
    private final Buffer source;
    private final Buffer target;
    private final SendWorkRequest write = SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE_WITH_IMM)
            .flags(SendFlags.SIGNALED);
    private final ReceiveWorkRequest receive = ReceiveWorkRequest.create(0);
    private long wrId;
    private int size;
    private long seed;
    private int immediate;

    public WriteWithImmediateOperation(Sides sides, QpType type, int largest) {
        pair = ConnectedPair.open(type, sides);
        source = Buffer.allocate(sides.left().pd(), largest, 0);
        target = Buffer.allocate(sides.right().pd(), largest, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
        write.remote(target.address(), target.rkey());
    }

    @Override
    public void prepare(int size, long seed) {
        this.size = size;
        this.seed = seed;
        wrId++;
        immediate = Long.hashCode(seed);
        source.fill(size, seed);
        target.guard(size);
        source.setElement(write.wrId(wrId).immediate(immediate), size);
        // The receive has no buffer: the writer specifies the memory.
        pair.right().postReceive(receive.wrId(wrId));
    }

    @Override
    public void run() {
        pair.left().postSend(write);
        pair.leftDone().expect(wrId, WcOpcode.RDMA_WRITE);
        WorkCompletions received = pair.rightDone().expect(wrId, WcOpcode.RECV_RDMA_WITH_IMM, size);
        Mismatch.check("WITH_IMM flag", WcFlags.WITH_IMM, received.flags(0) & WcFlags.WITH_IMM);
        Mismatch.check("immediate data", immediate, received.immediate(0));
    }

    @Override
    public void check() {
        target.check(size, seed);
    }

    @Override
    public void close() {
        pair.close();
        source.close();
        target.close();
    }
}
