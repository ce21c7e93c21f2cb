package io.jverbs.soft.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.QpType;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import io.jverbs.control.SimulatedPacket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** L51, L52, L53: packets with the mark of congestion make the receiver send CNPs, which slow the sender down. */
final class CongestionNotificationTest {
    private static final int BYTES = 1 << 20;
    private static final String UNMARKED = "seed=4&network=cnp-test&time=stepped&switch=1Gbit,1000000";
    private static final String OPTIONS = UNMARKED + "&ecn=20000,20000";
    private static final String MARKED = "np_ecn_marked_roce_packets";

    private static List<SimulatedPacket> cnps(ConnectedPair pair) {
        return pair.network.packetLog().stream().filter(packet -> packet.opcode().equals("CNP")).toList();
    }

    @Test
    void aReceiverOfMarkedPacketsSendsOneCnpIn50Microseconds() {
        try (ConnectedPair pair = new ConnectedPair(QpType.RC, BYTES, OPTIONS + "&congestion=dcqcn")) {
            pair.write(1);
            pair.awaitSent(1);
            pair.network.advance(Duration.ofMillis(1));

            List<SimulatedPacket> cnps = cnps(pair);
            assertTrue(cnps.size() > 1, cnps::toString);
            for (int i = 1; i < cnps.size(); i++) {
                Duration interval = cnps.get(i).sent().minus(cnps.get(i - 1).sent());
                assertTrue(interval.compareTo(Duration.ofNanos(50_000)) >= 0, interval::toString);
            }
            assertEquals(pair.network.queue(1).marked(), pair.counted(pair.right, MARKED));
            assertEquals(cnps.size(), pair.counted(pair.right, "np_cnp_sent"));
            assertEquals(cnps.size(), pair.counted(pair.left, "rp_cnp_handled")
                    + pair.counted(pair.left, "rp_cnp_ignored"));
            assertTrue(pair.counted(pair.left, "rp_cnp_handled") > 1);
        }
    }

    @Test
    void aReaderOfMarkedResponsesSendsCnpsWhichTheResponderHears() {
        try (ConnectedPair pair = new ConnectedPair(QpType.RC, BYTES, OPTIONS + "&congestion=dcqcn")) {
            pair.target.segment().fill((byte) 3);
            pair.one.postSend(SendWorkRequest.create(1).wrId(1).opcode(WrOpcode.RDMA_READ).flags(SendFlags.SIGNALED)
                    .sge(pair.source, 0, BYTES).remote(pair.target.address(), pair.target.rkey()));
            pair.awaitSent(1);
            pair.network.advance(Duration.ofMillis(1));

            assertEquals(-1, pair.source.segment().mismatch(pair.target.segment()));
            assertEquals(pair.network.queue(0).marked(), pair.counted(pair.left, MARKED));
            assertTrue(pair.counted(pair.left, "np_cnp_sent") > 1);
            assertTrue(pair.counted(pair.right, "rp_cnp_handled") > 1);
        }
    }

    @Test
    void thePacketsOfWindowAreNotMarked() {
        try (ConnectedPair pair = new ConnectedPair(QpType.RC, BYTES, OPTIONS + "&congestion=window")) {
            pair.write(1);
            pair.awaitSent(1);

            assertEquals(0, pair.network.queue(1).marked());
            assertEquals(0, pair.counted(pair.right, MARKED));
            assertEquals(List.of(), cnps(pair));
        }
    }

    /** The mean length of the queue while the sender always has a WRITE to send. */
    private static long meanQueue(String options) {
        try (ConnectedPair pair = new ConnectedPair(QpType.RC, BYTES, options + "&congestion=dcqcn")) {
            for (int i = 0; i < 20; i++) {
                pair.write(i);
                pair.awaitSent(i);
            }
            return pair.network.queue(1).mean();
        }
    }

    /** The window limits the queue, too; with CNPs it is shorter. */
    @Test
    void cnpsKeepTheQueueShort() {
        long without = meanQueue(UNMARKED);
        long with = meanQueue(UNMARKED + "&ecn=10000,10000");
        assertTrue(with < without * 3 / 4, () -> with + " bytes with CNPs, " + without + " without");
    }
}
