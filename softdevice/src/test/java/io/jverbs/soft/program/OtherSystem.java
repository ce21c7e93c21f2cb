package io.jverbs.soft.program;

import io.jverbs.QpType;
import io.jverbs.WcStatus;
import io.jverbs.WrOpcode;
import io.jverbs.soft.PairOfQueuePairs;

/** Writes between two queue pairs of each pair of devices that the arguments name, and prints each status. */
final class OtherSystem {
    private OtherSystem() {}

    public static void main(String... selectors) {
        for (int i = 0; i < selectors.length; i += 2) {
            try (PairOfQueuePairs pair = new PairOfQueuePairs(selectors[i], selectors[i + 1], QpType.RC)) {
                WcStatus status = pair.left.run(pair.request(PairOfQueuePairs.BYTES).opcode(WrOpcode.RDMA_WRITE));
                System.out.println(selectors[i] + " " + status);
            }
        }
    }
}
