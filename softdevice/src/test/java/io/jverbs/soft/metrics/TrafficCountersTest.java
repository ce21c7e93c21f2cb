package io.jverbs.soft.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.AddressHandle;
import io.jverbs.AhAttributes;
import io.jverbs.Gid;
import io.jverbs.QpType;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcStatus;
import io.jverbs.WrOpcode;
import io.jverbs.control.DeviceCounters;
import io.jverbs.control.PacketLoss;
import io.jverbs.control.PortControl;
import io.jverbs.control.QueuePairCounters;
import io.jverbs.soft.LoopbackAddress;
import io.jverbs.soft.PairOfQueuePairs;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Checks that counters have the same meaning within the JVM and over UDP. The exception are acknowledgements, which are
 * packets only over UDP.
 */
final class TrafficCountersTest {
    private static final int MTU = PairOfQueuePairs.MTU;
    private static final int LONG_MESSAGE = 2 * MTU + 10;
    private static final long DEADLINE_NANOS = Duration.ofSeconds(20).toNanos();

    /** Where packets are exchanged: within the JVM, or over UDP. */
    enum Fabric {
        WITHIN("soft:soft4", "soft:soft5", 0), WIRE(LoopbackAddress.wired(), LoopbackAddress.wired(), 1);

        private final String left;
        private final String right;
        private final int acknowledgement;

        Fabric(String left, String right, int acknowledgement) {
            this.left = left;
            this.right = right;
            this.acknowledgement = acknowledgement;
        }

        PairOfQueuePairs pair(QpType type) {
            return new PairOfQueuePairs(left, right, type);
        }

        /** Returns the number of packets of a number of ACKs or NAKs. */
        int acknowledgements(int count) {
            return count * acknowledgement;
        }
    }

    private static Map<String, Long> of(PairOfQueuePairs.Side side) {
        return side.context.device().capability(DeviceCounters.class).orElseThrow().queuePairs().stream()
                .filter(each -> each.number() == side.qp.number()).findFirst().map(QueuePairCounters::counters)
                .orElseThrow();
    }

    private static Map<String, Long> ofPort(PairOfQueuePairs.Side side) {
        return side.context.device().capability(DeviceCounters.class).orElseThrow().snapshot(1);
    }

    private static void checkSent(PairOfQueuePairs.Side side, long messages, long packets, long bytes) {
        Map<String, Long> counted = of(side);
        assertEquals(List.of(messages, packets, bytes),
                List.of(counted.get("sent_msgs"), counted.get("sent_pkts"), counted.get("sent_bytes")));
    }

    private static void checkReceived(PairOfQueuePairs.Side side, long packets, long bytes) {
        Map<String, Long> counted = of(side);
        assertEquals(List.of(packets, bytes), List.of(counted.get("rcvd_pkts"), counted.get("rcvd_bytes")));
    }

    /** Waits for a counter, because a dropped packet is not acknowledged. */
    private static void await(PairOfQueuePairs.Side side, String name, long expected) {
        long deadline = System.nanoTime() + DEADLINE_NANOS;
        while (of(side).getOrDefault(name, 0L) < expected) {
            assertTrue(System.nanoTime() < deadline, () -> name + " of " + of(side));
            Thread.onSpinWait();
        }
        assertEquals(expected, of(side).get(name));
    }

    private static void awaitPort(PairOfQueuePairs.Side side, String name, long expected) {
        long deadline = System.nanoTime() + DEADLINE_NANOS;
        while (ofPort(side).get(name) < expected) {
            assertTrue(System.nanoTime() < deadline, () -> name + " of " + ofPort(side));
            Thread.onSpinWait();
        }
        assertEquals(expected, ofPort(side).get(name));
    }

    @ParameterizedTest
    @EnumSource
    void requestsAndResponsesAreCounted(Fabric fabric) {
        try (PairOfQueuePairs pair = fabric.pair(QpType.RC)) {
            pair.right.postReceive(1024);
            assertEquals(WcStatus.SUCCESS, pair.left.run(pair.request(LONG_MESSAGE).opcode(WrOpcode.RDMA_WRITE)));
            assertEquals(WcStatus.SUCCESS, pair.left.run(pair.request(8).opcode(WrOpcode.SEND)));
            checkSent(pair.left, 2, 4, LONG_MESSAGE + 8);
            checkReceived(pair.right, 4, LONG_MESSAGE + 8);
            checkSent(pair.right, 0, fabric.acknowledgements(2), 0);
            checkReceived(pair.left, fabric.acknowledgements(2), 0);

            assertEquals(WcStatus.SUCCESS, pair.left.run(pair.request(LONG_MESSAGE).opcode(WrOpcode.RDMA_READ)));
            assertEquals(WcStatus.SUCCESS, pair.left.run(SendWorkRequest.create(1).sge(pair.left.memory, 0, 8)
                    .fetchAndAdd(pair.right.memory.address(), pair.right.memory.rkey(), 1)));
            checkSent(pair.left, 4, 6, LONG_MESSAGE + 8);
            checkReceived(pair.right, 6, LONG_MESSAGE + 8);
            checkSent(pair.right, 0, fabric.acknowledgements(2) + 4, LONG_MESSAGE);
            checkReceived(pair.left, fabric.acknowledgements(2) + 4, LONG_MESSAGE);
        }
    }

    /** Catalogue F26: the packets before the one that needs the receive request are executed once. */
    @ParameterizedTest
    @EnumSource
    void aRetriedRequestCountsAcceptedPacketsOnceAndNoSentMessageUntilItSucceeds(Fabric fabric) {
        try (PairOfQueuePairs pair = fabric.pair(QpType.RC)) {
            assertEquals(WcStatus.RNR_RETRY_EXC_ERR,
                    pair.left.run(pair.request(LONG_MESSAGE).opcode(WrOpcode.RDMA_WRITE_WITH_IMM)));

            checkSent(pair.left, 0, 4, LONG_MESSAGE + 10);
            checkReceived(pair.right, 2, 2 * MTU);
            assertEquals(2, of(pair.right).get("send_rnr_err"));
            assertEquals(2, of(pair.left).get("rcvd_rnr_err"));
            checkSent(pair.right, 0, fabric.acknowledgements(2), 0);
            checkReceived(pair.left, fabric.acknowledgements(2), 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aDroppedUcRequestCountsAsSentAndNotAsReceived(Fabric fabric) {
        try (PairOfQueuePairs pair = fabric.pair(QpType.UC)) {
            pair.left.run(pair.request(8).opcode(WrOpcode.SEND));
            await(pair.right, "no_receive", 1);
            pair.left.run(pair.request(8).opcode(WrOpcode.RDMA_WRITE).remote(pair.right.memory.address(),
                    ~pair.right.memory.rkey()));
            await(pair.right, "resp_remote_access_errors", 1);
            checkReceived(pair.right, 0, 0);

            // the packets before the one with the immediate need no receive request
            pair.left.run(pair.request(LONG_MESSAGE).opcode(WrOpcode.RDMA_WRITE_WITH_IMM));
            await(pair.right, "no_receive", 2);
            checkReceived(pair.right, 2, 2 * MTU);
            pair.right.postReceive(1024);
            pair.left.run(pair.request(LONG_MESSAGE).opcode(WrOpcode.RDMA_WRITE_WITH_IMM));
            await(pair.right, "rcvd_pkts", 5);
            checkReceived(pair.right, 5, 2 * MTU + LONG_MESSAGE);
            checkSent(pair.left, 4, 8, 16 + 2 * LONG_MESSAGE);
        }
    }

    /** As on mlx5, these errors are counted whatever the outcome of the request is. */
    @ParameterizedTest
    @EnumSource
    void remoteAccessErrorsAreCountedByBothPeers(Fabric fabric) {
        try (PairOfQueuePairs pair = fabric.pair(QpType.RC)) {
            assertEquals(WcStatus.REM_ACCESS_ERR, pair.left.run(pair.request(8).opcode(WrOpcode.RDMA_WRITE)
                    .remote(pair.right.memory.address(), ~pair.right.memory.rkey())));

            assertEquals(1, of(pair.right).get("resp_remote_access_errors"));
            assertEquals(1, of(pair.right).get("sent_nak_access_error"));
            assertEquals(1, of(pair.left).get("req_remote_access_errors"));
        }
        try (PairOfQueuePairs pair = fabric.pair(QpType.RC)) {
            pair.right.postReceive(8);
            assertEquals(WcStatus.RETRY_EXC_ERR,
                    pair.left.run(pair.request(8).opcode(WrOpcode.SEND_WITH_INV).invalidateRkey(1)));

            assertEquals(1, of(pair.right).get("resp_remote_access_errors"));
            assertFalse(of(pair.right).containsKey("sent_nak_access_error"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void packetsToADestroyedQueuePairAreCountedForEachTransmission(Fabric fabric) {
        try (PairOfQueuePairs pair = fabric.pair(QpType.RC)) {
            long before = ofPort(pair.right).get("unknown_qp");
            pair.right.qp.close();
            assertEquals(WcStatus.RETRY_EXC_ERR, pair.left.run(pair.request(8).opcode(WrOpcode.RDMA_WRITE)));

            awaitPort(pair.right, "unknown_qp", before + 2);
            checkSent(pair.left, 0, 2, 16);
        }
    }

    @ParameterizedTest
    @EnumSource
    void packetsToAPortThatIsDownAreCountedAsPortDown(Fabric fabric) {
        try (PairOfQueuePairs pair = fabric.pair(QpType.UC)) {
            PortControl control = pair.rightDevice.capability(PortControl.class).orElseThrow();
            Map<String, Long> before = ofPort(pair.right);
            control.pullCable(1);
            try {
                pair.left.run(pair.request(8).opcode(WrOpcode.RDMA_WRITE));
                awaitPort(pair.right, "port_down", before.get("port_down") + 1);
                assertEquals(before.get("link_downed") + 1, ofPort(pair.right).get("link_downed"));
                assertEquals(before.get("unknown_qp"), ofPort(pair.right).get("unknown_qp"));
            } finally {
                control.plugCable(1);
            }
        }
    }

    /** Catalogue J9. */
    @Test
    void aMulticastMemberWhosePortIsDownReceivesNothing() {
        Gid group = Gid.parse("::ffff:239.4.74.1");
        try (PairOfQueuePairs pair = Fabric.WITHIN.pair(QpType.UD)) {
            PortControl control = pair.rightDevice.capability(PortControl.class).orElseThrow();
            pair.right.qp.attachMulticast(group, 0);
            pair.right.postReceive(1024);
            AddressHandle path = pair.left.pd.createAddressHandle(
                    AhAttributes.to(group, 1, pair.left.context.preferredGid(1).index()));
            SendWorkRequest request = SendWorkRequest.create(1).sge(pair.left.memory, 0, 8).opcode(WrOpcode.SEND)
                    .destination(path, 0xFFFFFF, 0x11);
            long before = ofPort(pair.right).get("port_down");
            control.pullCable(1);
            try {
                pair.left.run(request);
                assertEquals(before + 1, ofPort(pair.right).get("port_down"));
                checkReceived(pair.right, 0, 0);
            } finally {
                control.plugCable(1);
            }
            pair.left.run(request);
            checkReceived(pair.right, 1, 8);
        }
    }

    @ParameterizedTest
    @EnumSource
    void packetsDroppedByALossFilterAreCountedAsLost(Fabric fabric) {
        try (PairOfQueuePairs pair = fabric.pair(QpType.UC)) {
            PacketLoss losses = pair.rightDevice.capability(PacketLoss.class).orElseThrow();
            long before = ofPort(pair.right).get("lost");
            IntPredicate all = qpn -> true;
            losses.add(all);
            try {
                pair.left.run(pair.request(8).opcode(WrOpcode.RDMA_WRITE));
                awaitPort(pair.right, "lost", before + 1);
            } finally {
                losses.remove(all);
            }
            pair.left.run(pair.request(8).opcode(WrOpcode.RDMA_WRITE));
            await(pair.right, "rcvd_pkts", 1);
        }
    }
}
