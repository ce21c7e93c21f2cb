package io.jverbs.soft.truncated;

import io.jverbs.QpType;
import io.jverbs.WcStatus;
import io.jverbs.WrOpcode;
import io.jverbs.soft.PairOfQueuePairs;
import java.lang.foreign.ValueLayout;

/** Two other queue pairs of the same devices, which lost memory must not affect. */
final class Bystander implements AutoCloseable {
    private final PairOfQueuePairs pair;
    private long written;

    Bystander(NetworkPath path) {
        pair = path.pair(QpType.RC, false);
    }

    /** Checks that a WRITE is carried out. */
    void check() {
        pair.left.memory.segment().set(ValueLayout.JAVA_LONG, 0, ++written);
        Stage.expect(WcStatus.SUCCESS, pair.left.run(pair.request(Long.BYTES).opcode(WrOpcode.RDMA_WRITE)));
        if (pair.right.memory.segment().get(ValueLayout.JAVA_LONG, 0) != written) {
            throw new IllegalStateException("the WRITE of another queue pair was not carried out");
        }
    }

    @Override
    public void close() {
        pair.close();
    }
}
