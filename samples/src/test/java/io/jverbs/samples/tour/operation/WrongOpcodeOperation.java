package io.jverbs.samples.tour.operation;

import io.jverbs.QpType;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcOpcode;
import io.jverbs.WrOpcode;

/** An operation that expects another opcode than that of the request it posts. */
public final class WrongOpcodeOperation implements Operation {
    private final ConnectedPair pair;

    public WrongOpcodeOperation(Sides sides, int largest) {
        pair = ConnectedPair.open(QpType.RC, sides);
    }

    @Override
    public void prepare(int size, long seed) {
        // nothing to prepare
    }

    @Override
    public void run() {
        pair.left().postSend(SendWorkRequest.create(0).opcode(WrOpcode.RDMA_WRITE)
                .flags(SendFlags.SIGNALED).remote(0, 0).wrId(1));
        pair.leftDone().expect(1, WcOpcode.RDMA_READ);
    }

    @Override
    public void check() {
        // not reached: run() throws
    }

    @Override
    public void close() {
        pair.close();
    }
}
