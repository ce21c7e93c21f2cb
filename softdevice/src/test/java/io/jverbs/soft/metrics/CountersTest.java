package io.jverbs.soft.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.RdmaDevice;
import io.jverbs.SendWorkRequest;
import io.jverbs.VerbsException;
import io.jverbs.WcStatus;
import io.jverbs.WrOpcode;
import io.jverbs.control.DeviceCounters;
import io.jverbs.control.QueuePairCounters;
import io.jverbs.soft.PairOfQueuePairs;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Checks the counters of queue pairs and ports, on the fast path and on the general path. */
final class CountersTest {
    private static final int LONG_MESSAGE = 2 * PairOfQueuePairs.MTU + 10;

    private static DeviceCounters counters(RdmaDevice device) {
        return device.capability(DeviceCounters.class).orElseThrow();
    }

    private static QueuePairCounters of(PairOfQueuePairs.Side side) {
        return counters(side.context.device()).queuePairs().stream()
                .filter(each -> each.number() == side.qp.number()).findFirst().orElseThrow();
    }

    private static void checkSent(PairOfQueuePairs.Side side, long messages, long packets, long bytes) {
        Map<String, Long> counted = of(side).counters();
        assertEquals(List.of(messages, packets, bytes),
                List.of(counted.get("sent_msgs"), counted.get("sent_pkts"), counted.get("sent_bytes")));
    }

    private static void checkReceived(PairOfQueuePairs.Side side, long packets, long bytes) {
        Map<String, Long> counted = of(side).counters();
        assertEquals(List.of(packets, bytes), List.of(counted.get("rcvd_pkts"), counted.get("rcvd_bytes")));
    }

    /** The first request of a queue pair takes the general path, later ones the fast path. */
    @Test
    void allOperationsAreCountedOnTheFastAndTheGeneralPath() {
        try (PairOfQueuePairs pair = PairOfQueuePairs.within(QpType.RC)) {
            for (int i = 0; i < 3; i++) {
                pair.left.run(pair.request(LONG_MESSAGE).opcode(WrOpcode.RDMA_WRITE));
            }
            checkSent(pair.left, 3, 9, 3 * LONG_MESSAGE);
            checkReceived(pair.right, 9, 3 * LONG_MESSAGE);
            pair.right.postReceive(1024);
            pair.right.postReceive(1024);
            pair.left.run(pair.request(8).opcode(WrOpcode.SEND));
            pair.left.run(pair.request(9).opcode(WrOpcode.SEND_WITH_IMM));
            checkSent(pair.left, 5, 11, 3 * LONG_MESSAGE + 17);
            checkReceived(pair.right, 11, 3 * LONG_MESSAGE + 17);
            checkReceived(pair.left, 0, 0);
            pair.left.run(pair.request(LONG_MESSAGE).opcode(WrOpcode.RDMA_READ));
            pair.left.run(SendWorkRequest.create(1).sge(pair.left.memory, 0, 8).fetchAndAdd(
                    pair.right.memory.address(), pair.right.memory.rkey(), 1));
            checkSent(pair.left, 7, 13, 3 * LONG_MESSAGE + 17);
            checkReceived(pair.left, 4, LONG_MESSAGE);
            checkReceived(pair.right, 13, 3 * LONG_MESSAGE + 17);
            checkSent(pair.right, 0, 4, LONG_MESSAGE);
        }
    }

    @Test
    void queuePairCountersHaveTypeStatePeerAndNonZeroErrors() {
        try (PairOfQueuePairs pair = PairOfQueuePairs.within(QpType.UC)) {
            pair.right.postReceive(1024);
            pair.left.run(pair.request(300).opcode(WrOpcode.SEND));
            pair.left.run(pair.request(1).opcode(WrOpcode.SEND));

            QueuePairCounters right = of(pair.right);
            assertEquals(QpType.UC, right.type());
            assertEquals(QpState.RTS, right.state());
            assertEquals(pair.left.qp.number(), right.peer());
            assertEquals(1, right.counters().get("no_receive"));
            assertFalse(right.counters().containsKey("bad_pkey"));
            checkSent(pair.left, 2, 3, 301);
            List<Integer> numbers = counters(pair.leftDevice).queuePairs().stream().map(QueuePairCounters::number)
                    .toList();
            assertEquals(numbers.stream().sorted().toList(), numbers);
            assertThrows(UnsupportedOperationException.class, () -> right.counters().put("x", 1L));
        }
    }

    @Test
    void errorsAreCountedForTheQueuePairThatDetectsThem() {
        try (PairOfQueuePairs pair = PairOfQueuePairs.within(QpType.RC)) {
            assertEquals(WcStatus.RNR_RETRY_EXC_ERR, pair.left.run(pair.request(8).opcode(WrOpcode.SEND)));

            Map<String, Long> left = of(pair.left).counters();
            assertEquals(List.of(2L, 1L, 2L),
                    List.of(left.get("rcvd_rnr_err"), left.get("retry_rnr_exceeded_err"), left.get("sent_pkts")));
            assertEquals(2, of(pair.right).counters().get("send_rnr_err"));
            assertEquals(QpState.ERR, of(pair.left).state());
        }
        try (PairOfQueuePairs pair = PairOfQueuePairs.within(QpType.RC)) {
            pair.right.qp.close();
            assertEquals(WcStatus.RETRY_EXC_ERR, pair.left.run(pair.request(8).opcode(WrOpcode.RDMA_WRITE)));

            Map<String, Long> left = of(pair.left).counters();
            assertEquals(List.of(1L, 1L, 1L), List.of(left.get("local_ack_timeout_err"), left.get("retransmissions"),
                    left.get("retry_exceeded_err")));
        }
    }

    @Test
    void portCountersIncludeDestroyedQueuePairs() {
        RdmaDevice device;
        Map<String, Long> before;
        try (PairOfQueuePairs pair = PairOfQueuePairs.within(QpType.UD)) {
            device = pair.leftDevice;
            before = counters(device).snapshot(1);
        }
        try (PairOfQueuePairs pair = PairOfQueuePairs.within(QpType.RC)) {
            pair.left.run(pair.request(LONG_MESSAGE).opcode(WrOpcode.RDMA_WRITE));
            checkGrowth(before, counters(device).snapshot());
        }
        checkGrowth(before, counters(device).snapshot());
    }

    private static void checkGrowth(Map<String, Long> before, Map<String, Long> after) {
        assertEquals(List.of(1L, 3L, (long) LONG_MESSAGE, 3L, (long) LONG_MESSAGE),
                List.of("sent_msgs", "sent_pkts", "sent_bytes", "rcvd_pkts", "rcvd_bytes").stream()
                        .map(name -> after.get(name) - before.get(name)).toList());
    }

    @Test
    void snapshotOfANonexistentPortIsEinval() {
        try (PairOfQueuePairs pair = PairOfQueuePairs.within(QpType.RC)) {
            VerbsException failure = assertThrows(VerbsException.class,
                    () -> counters(pair.leftDevice).snapshot(2));

            assertEquals(Errno.EINVAL, failure.error());
            assertTrue(failure.getMessage().contains("port 2 is outside 1..1"), failure::getMessage);
        }
    }

    @Test
    void resourcesAreCountedByType() {
        try (PairOfQueuePairs pair = new PairOfQueuePairs("soft:soft6", "soft:soft6", QpType.RC)) {
            assertEquals(Map.of("pd", 2L, "cq", 2L, "qp", 2L, "srq", 0L, "ah", 0L, "mr", 2L, "ctx", 2L),
                    counters(pair.leftDevice).resources());
        }
    }
}
