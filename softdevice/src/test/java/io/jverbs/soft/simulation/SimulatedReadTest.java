package io.jverbs.soft.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcStatus;
import io.jverbs.WrOpcode;
import io.jverbs.control.SimulatedPacket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Outstanding READs are limited on a simulated network as they are over sockets. */
final class SimulatedReadTest {
    private static final int COUNT = 8;
    private static final int BYTES = 256 << 10;
    /** How many packets of 4 KiB fit into a socket buffer. */
    private static final int BUFFER = 24;
    private static final int MTU = 4096;

    private record Change(Duration at, int by) {}

    private static int maxInFlight(List<SimulatedPacket> packets) {
        List<Change> changes = new ArrayList<>();
        for (SimulatedPacket packet : packets) {
            changes.add(new Change(packet.sent(), 1));
            changes.add(new Change(packet.arrives(), -1));
        }
        changes.sort(Comparator.comparing(Change::at).thenComparing(Change::by));
        int inFlight = 0;
        int most = 0;
        for (Change change : changes) {
            inFlight += change.by();
            most = Math.max(most, inFlight);
        }
        return most;
    }

    @Test
    void readResponsesInFlightOfManyConnectionsFitIntoSocketBuffer() {
        String options = "seed=7&network=reads&time=stepped&delay=20us&mtu=9000";
        try (ConnectedPair pair = new ConnectedPair(QpType.RC, BYTES, options)) {
            pair.target.segment().fill((byte) 9);
            List<QueuePair> all = new ArrayList<>(List.of(pair.one));
            for (int i = 1; i < COUNT; i++) {
                QueuePair one = pair.source.pd()
                        .createQueuePair(QpInitAttributes.builder(QpType.RC).cq(pair.sent).build());
                QueuePair other = pair.target.pd()
                        .createQueuePair(QpInitAttributes.builder(QpType.RC).cq(pair.received).build());
                one.connect(other.localInfo());
                other.connect(one.localInfo());
                all.add(one);
            }
            SendWorkRequest read = SendWorkRequest.create(1).opcode(WrOpcode.RDMA_READ).flags(SendFlags.SIGNALED)
                    .sge(pair.source, 0, BYTES).remote(pair.target.address(), pair.target.rkey());
            all.forEach(qp -> qp.postSend(read));
            Set<Integer> done = new HashSet<>();
            for (int i = 0; i < COUNT; i++) {
                assertTrue(pair.network.runUntil(pair::hasSent, ConnectedPair.LONG));
                assertEquals(WcStatus.SUCCESS, pair.status());
                done.add(pair.completions.qpNumber(0));
            }
            assertEquals(COUNT, done.size());
            assertEquals(-1, pair.source.segment().mismatch(pair.target.segment()));
            List<SimulatedPacket> responses = pair.network.packetLog().stream().filter(packet -> packet.from() == 1)
                    .toList();
            assertEquals(COUNT * BYTES / MTU, responses.size());
            assertTrue(maxInFlight(responses) <= BUFFER, () -> maxInFlight(responses) + " were in flight");
        }
    }
}
