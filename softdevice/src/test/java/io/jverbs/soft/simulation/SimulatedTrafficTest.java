package io.jverbs.soft.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.CompletionQueue;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.WcStatus;
import io.jverbs.WrOpcode;
import io.jverbs.control.DeviceRemoval;
import io.jverbs.control.PortControl;
import io.jverbs.control.SimulatedNetwork;
import io.jverbs.control.SimulatedPacket.Fate;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Delivery of packets through the network, also within one device, and to removed or disconnected devices. */
final class SimulatedTrafficTest {
    private static final String SEED = "seed=4&network=traffic-test&time=stepped";

    @Test
    void queuePairsOfOneDeviceCommunicateThroughNetwork() {
        try (RdmaContext context = Verbs.open("soft:sim?" + SEED)) {
            SimulatedNetwork network = context.device().capability(SimulatedNetwork.class).orElseThrow();
            ProtectionDomain pd = context.allocatePd();
            CompletionQueue cq = context.createCompletionQueue(4);
            MemoryRegion region = pd.allocate(16, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
            QueuePair one = pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).build());
            QueuePair other = pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).build());
            one.connect(other.localInfo());
            other.connect(one.localInfo());
            region.segment().set(ValueLayout.JAVA_LONG, 0, 77);
            one.postSend(
                    SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE).flags(SendFlags.SIGNALED).sge(region, 0, 8)
                            .remote(region.address() + 8, region.rkey()));
            assertEquals(0, region.segment().get(ValueLayout.JAVA_LONG, 8));
            network.advance(Duration.ofMillis(1));
            assertEquals(77, region.segment().get(ValueLayout.JAVA_LONG, 8));
            assertEquals(2, network.packetCount());
        }
    }

    @Test
    void errorOfLaterRequestDoesNotFailRetransmittedRequest() {
        try (ConnectedPair pair = new ConnectedPair(QpType.RC, 8, SEED)) {
            pair.network.link(0, 1).partition();
            pair.write(1);
            pair.one.postSend(SendWorkRequest.create(1).wrId(2).opcode(WrOpcode.RDMA_WRITE)
                    .sge(0, pair.source.address(), 8, 0x0BADBAD0)
                    .remote(pair.target.address(), pair.target.rkey()));
            pair.network.advance(Duration.ofMillis(100));
            pair.network.link(0, 1).heal();
            assertTrue(pair.network.runUntil(pair::hasSent, ConnectedPair.LONG));
            assertEquals(WcStatus.SUCCESS, pair.status());
            assertTrue(pair.network.runUntil(pair::hasSent, ConnectedPair.LONG));
            assertEquals(WcStatus.LOC_PROT_ERR, pair.status());
            assertEquals(2, pair.completions.wrId(0));
        }
    }

    @Test
    void packetsToRemovedDeviceHaveNoDestination() {
        try (ConnectedPair pair = new ConnectedPair(QpType.RC, 8, SEED)) {
            pair.write(1);
            pair.right.device().capability(DeviceRemoval.class).orElseThrow().remove();
            assertTrue(pair.network.runUntil(pair::hasSent, ConnectedPair.LONG));
            assertEquals(WcStatus.RETRY_EXC_ERR, pair.status());
            assertTrue(pair.packets(Fate.NO_DESTINATION).size() >= 2);
            pair.assertWritten(0);
        }
    }

    /** Returns a queue pair number, first PSN, address and rkey of new objects. */
    private static List<Long> numbers(RdmaContext context) {
        ProtectionDomain pd = context.allocatePd();
        MemoryRegion region = pd.allocate(16, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
        QueuePair qp = pd.createQueuePair(
                QpInitAttributes.builder(QpType.RC).cq(context.createCompletionQueue(4)).build());
        return List.of((long) qp.number(), (long) qp.localInfo().psn(), region.address(), (long) region.rkey());
    }

    private static List<List<Long>> numbersOfThreeDevicesInTurn() {
        List<List<Long>> all = new ArrayList<>();
        try (RdmaContext other = Verbs.open("soft:sim1?" + SEED)) {
            all.add(numbers(other));
            for (int i = 0; i < 3; i++) {
                try (RdmaContext context = Verbs.open("soft:sim0?" + SEED)) {
                    all.add(numbers(context));
                    context.device().capability(DeviceRemoval.class).orElseThrow().remove();
                }
            }
        }
        return all;
    }

    @Test
    void deviceReplacingRemovedOneHasOtherNumbers() {
        List<List<Long>> all = numbersOfThreeDevicesInTurn();
        assertEquals(4 * 4, all.stream().flatMap(List::stream).distinct().count(), all::toString);
        assertEquals(all, numbersOfThreeDevicesInTurn());
    }

    @Test
    void portWithPulledCableSendsNothing() {
        try (ConnectedPair pair = new ConnectedPair(QpType.RC, 8, SEED)) {
            PortControl port = pair.left.device().capability(PortControl.class).orElseThrow();
            port.pullCable(1);
            pair.write(1);
            pair.network.advance(Duration.ofMillis(1));
            pair.assertWritten(0);
            assertEquals(1, pair.packets(Fate.PORT_DOWN).size());
            port.plugCable(1);
            pair.awaitSent(1);
        }
    }

    @Test
    void packetInFlightIsLostIfCableOfReceiverIsPulled() {
        try (ConnectedPair pair = new ConnectedPair(QpType.RC, 8, SEED)) {
            PortControl port = pair.right.device().capability(PortControl.class).orElseThrow();
            pair.write(1);
            port.pullCable(1);
            pair.network.advance(Duration.ofMillis(1));
            pair.assertWritten(0);
            assertEquals(1, pair.packets(Fate.PORT_DOWN).size());
            assertEquals(List.of(), pair.packets(Fate.ARRIVED));
            port.plugCable(1);
            pair.awaitSent(1);
        }
    }

    @Test
    void packetLogDescribesEachPacket() {
        try (ConnectedPair pair = new ConnectedPair(QpType.RC, 8, SEED + "&delay=2us")) {
            pair.write(1);
            pair.awaitSent(1);
            assertEquals(2, pair.network.packetLog().size());
            assertTrue(pair.network.packetLog().getFirst().toString()
                    .matches("#0 0\\.000 us sim0 -> sim1 .*WRITE.*ONLY qp 0x[0-9a-f]{6} psn [0-9]+, 40 bytes: "
                            + "arrived at 2\\.000 us"),
                    () -> pair.network.packetLog().toString());
            assertTrue(pair.network.packetLog().get(1).toString().contains("sim1 -> sim0"));
        }
    }
}
