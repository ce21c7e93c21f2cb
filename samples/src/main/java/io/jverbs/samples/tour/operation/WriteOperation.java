package io.jverbs.samples.tour.operation;

import io.jverbs.Access;
import io.jverbs.QpType;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcOpcode;
import io.jverbs.WrOpcode;

/** RDMA WRITE: writes to the peer's memory; the peer's program is not involved. */
public final class WriteOperation implements Operation {
    private final ConnectedPair pair;
    private final Buffer source;
    private final Buffer target;
    private final SendWorkRequest write = SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE)
            .flags(SendFlags.SIGNALED);
    private long wrId;
    private int size;
    private long seed;

    public WriteOperation(Sides sides, QpType type, int largest) {
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
        source.fill(size, seed);
        target.guard(size);
        source.setElement(write.wrId(wrId), size);
    }

    @Override
    public void run() {
        pair.left().postSend(write);
        pair.leftDone().expect(wrId, WcOpcode.RDMA_WRITE);
    }

    @Override
    public void check() {
        pair.notifyRight();
        target.check(size, seed);
    }

    @Override
    public void close() {
        pair.close();
        source.close();
        target.close();
    }
}
