package io.jverbs.samples.tour.operation;

import io.jverbs.Access;
import io.jverbs.QpType;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcOpcode;
import io.jverbs.WrOpcode;

/** RDMA READ: reads from the peer's memory; the peer's program is not involved. */
public final class ReadOperation implements Operation {
    private final ConnectedPair pair;
    private final Buffer source;
    private final Buffer target;
    private final SendWorkRequest read = SendWorkRequest.create(1).opcode(WrOpcode.RDMA_READ)
            .flags(SendFlags.SIGNALED);
    private long wrId;
    private int size;
    private long seed;

    public ReadOperation(Sides sides, int largest) {
        pair = ConnectedPair.open(QpType.RC, sides);
        source = Buffer.allocate(sides.right().pd(), largest, Access.REMOTE_READ);
        target = Buffer.allocate(sides.left().pd(), largest, Access.LOCAL_WRITE);
        read.remote(source.address(), source.rkey());
    }

    @Override
    public void prepare(int size, long seed) {
        this.size = size;
        this.seed = seed;
        wrId++;
        source.fill(size, seed);
        target.guard(size);
        target.setElement(read.wrId(wrId), size);
    }

    @Override
    public void run() {
        pair.left().postSend(read);
        pair.leftDone().expect(wrId, WcOpcode.RDMA_READ, size);
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
