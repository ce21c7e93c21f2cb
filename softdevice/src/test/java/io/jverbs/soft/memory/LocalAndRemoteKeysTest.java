package io.jverbs.soft.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.jverbs.QpType;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcStatus;
import io.jverbs.WrOpcode;
import io.jverbs.soft.PairOfQueuePairs;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The lkey and the rkey of a region differ, as on hardware where they do: each fails where the other belongs. */
final class LocalAndRemoteKeysTest {
    private static final String SAME_JVM = "soft, soft:soft1";
    private static final String SIMULATED = "soft:sim0?seed=3, soft:sim1?seed=3";
    private static final String UDP = "soft:127.0.9.13?fabric=wire, soft:127.0.9.14?fabric=wire";

    private static SendWorkRequest write(PairOfQueuePairs pair, int lkey, int rkey) {
        return SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE).sge(0, pair.left.memory.address(), 8, lkey)
                .remote(pair.right.memory.address(), rkey);
    }

    @ParameterizedTest
    @CsvSource({SAME_JVM, "soft:sim0?seed=3, soft:sim1?seed=3",
        "soft:127.0.9.13?fabric=wire, soft:127.0.9.14?fabric=wire"})
    void anRkeyInAScatterGatherElementIsALocalProtectionError(String left, String right) {
        try (PairOfQueuePairs pair = new PairOfQueuePairs(left, right, QpType.RC)) {
            assertNotEquals(pair.left.memory.lkey(), pair.left.memory.rkey());
            int rkey = pair.right.memory.rkey();
            assertEquals(WcStatus.SUCCESS, pair.left.run(write(pair, pair.left.memory.lkey(), rkey)));
            assertEquals(WcStatus.LOC_PROT_ERR, pair.left.run(write(pair, pair.left.memory.rkey(), rkey)));
        }
    }

    @ParameterizedTest
    @CsvSource({SAME_JVM, "soft:sim0?seed=3, soft:sim1?seed=3",
        "soft:127.0.9.13?fabric=wire, soft:127.0.9.14?fabric=wire"})
    void anLkeyAsTheRemoteKeyIsARemoteAccessError(String left, String right) {
        try (PairOfQueuePairs pair = new PairOfQueuePairs(left, right, QpType.RC)) {
            int lkey = pair.left.memory.lkey();
            assertEquals(WcStatus.SUCCESS, pair.left.run(write(pair, lkey, pair.right.memory.rkey())));
            assertEquals(WcStatus.REM_ACCESS_ERR, pair.left.run(write(pair, lkey, pair.right.memory.lkey())));
        }
    }
}
