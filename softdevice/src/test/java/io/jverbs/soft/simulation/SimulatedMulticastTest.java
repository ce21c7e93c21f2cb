package io.jverbs.soft.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Access;
import io.jverbs.AddressHandle;
import io.jverbs.AhAttributes;
import io.jverbs.CompletionQueue;
import io.jverbs.Gid;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.control.DeviceCounters;
import io.jverbs.control.PacketLoss;
import io.jverbs.control.SimulatedNetwork;
import io.jverbs.control.SimulatedPacket;
import io.jverbs.control.SimulatedPacket.Fate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each copy of a multicast datagram is subject to the faults of its link and of its receiver. Catalogue L26. */
final class SimulatedMulticastTest {
    private static final String SELECTOR = "soft:sim%d?seed=3&network=multicast&time=stepped";
    private static final int QKEY = 0x11;
    private static final int MULTICAST_QPN = 0xff_ffff;
    private static final int BYTES = 64;
    private static final int GRH = 40;
    private static final Duration LATER = Duration.ofSeconds(1);

    /** A device with a queue pair that is attached to the group. */
    private static final class End implements AutoCloseable {
        final RdmaContext context;
        final ProtectionDomain pd;
        final MemoryRegion memory;
        final CompletionQueue cq;
        final QueuePair qp;
        final Gid group;

        End(int device) {
            this(device, false);
        }

        End(int device, boolean blocksOwn) {
            context = Verbs.open(SELECTOR.formatted(device));
            pd = context.allocatePd();
            memory = pd.allocate(BYTES + GRH, Access.LOCAL_WRITE);
            cq = context.createCompletionQueue(64);
            qp = pd.createQueuePair(
                    QpInitAttributes.builder(QpType.UD).cq(cq).maxSendWr(16).maxRecvWr(16)
                            .blockSelfMulticastLoopback(blocksOwn).build());
            qp.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(1).qkey(QKEY).build());
            qp.modify(QpAttributes.builder().state(QpState.RTR).build());
            qp.modify(QpAttributes.builder().state(QpState.RTS).sqPsn(1).build());
            group = Gid.parse(context.preferredGid(1).gid().isIpv4Mapped() ? "::ffff:239.7.7.7" : "ff0e::77");
        }

        End join() {
            qp.attachMulticast(group, 0);
            for (int i = 0; i < 8; i++) {
                qp.postReceive(ReceiveWorkRequest.create(1).wrId(i).sge(memory, 0, BYTES + GRH));
            }
            return this;
        }

        /** Polls all completions and returns the immediate data of datagrams received. */
        List<Integer> received() {
            List<Integer> all = new ArrayList<>();
            WorkCompletions completions = WorkCompletions.create(16);
            for (int count = cq.poll(completions); count != 0; count = cq.poll(completions)) {
                IntStream.range(0, count).forEach(i -> all.add(completions.immediate(i)));
            }
            return all;
        }

        @Override
        public void close() {
            qp.detachMulticast(group, 0);
            context.close();
        }
    }

    private final RdmaContext sender = Verbs.open(SELECTOR.formatted(0));
    private final SimulatedNetwork network = sender.device().capability(SimulatedNetwork.class).orElseThrow();
    private final End from = new End(0).join();
    private final End near = new End(1).join();
    private final End far = new End(2).join();

    @AfterEach
    void close() {
        from.close();
        near.close();
        far.close();
        sender.close();
    }

    private void post(int immediate) {
        post(from, immediate);
    }

    private static void post(End sender, int immediate) {
        AddressHandle to = sender.pd.createAddressHandle(AhAttributes.to(sender.group, 1,
                sender.context.preferredGid(1).index()));
        sender.qp.postSend(SendWorkRequest.create(1).opcode(WrOpcode.SEND_WITH_IMM).immediate(immediate)
                .sge(sender.memory, 0, BYTES).destination(to, MULTICAST_QPN, QKEY));
    }

    private void send(int immediate) {
        post(immediate);
        network.advance(LATER);
    }

    private List<SimulatedPacket> packets(Fate fate) {
        return network.packetLog().stream().filter(packet -> packet.fate() == fate).toList();
    }

    @Test
    void aDatagramIsLostOnOneLinkAndArrivesOverAnother() {
        network.path(0, 1).loss(1);
        send(7);
        assertEquals(List.of(), near.received());
        assertEquals(List.of(7), far.received());
        assertEquals(1, packets(Fate.LOST).size());
    }

    @Test
    void aDatagramIsDuplicatedOnOneLinkOnly() {
        network.path(0, 1).duplicate(1);
        send(7);
        assertEquals(List.of(7, 7), near.received());
        assertEquals(List.of(7), far.received());
    }

    @Test
    void aDatagramThatIsHeldBackOnOneLinkIsOvertakenThereOnly() {
        network.path(0, 1).reorder(1, Duration.ofMillis(1));
        post(1);
        network.path(0, 1).reorder(0, Duration.ofMillis(1));
        send(2);
        assertEquals(List.of(2, 1), near.received());
        assertEquals(List.of(1, 2), far.received());
    }

    @Test
    void aMemberThatBlocksItsOwnDatagramsReceivesThoseOfOthersOnly() {
        try (End blocking = new End(0, true).join()) {
            post(blocking, 7);
            network.advance(LATER);
            assertEquals(List.of(), blocking.received());
            assertEquals(List.of(7), from.received());
            assertEquals(List.of(7), near.received());
            assertEquals(1L, blocking.context.device().capability(DeviceCounters.class).orElseThrow().snapshot()
                    .get("own_multicast"));
            send(8);
            assertEquals(List.of(8), blocking.received());
        }
    }

    @Test
    void aPartitionedMemberReceivesNothing() {
        network.partition(1);
        send(7);
        assertEquals(List.of(), near.received());
        assertEquals(List.of(7), far.received());
    }

    @Test
    void aLossFilterOfADeviceDropsDatagramsToItsMembers() {
        PacketLoss loss = near.context.device().capability(PacketLoss.class).orElseThrow();
        IntPredicate filter = qpn -> qpn == near.qp.number();
        loss.add(filter);
        send(7);
        assertEquals(List.of(), near.received());
        assertEquals(List.of(7), far.received());
        assertEquals(1L, near.context.device().capability(DeviceCounters.class).orElseThrow().snapshot().get("lost"));
        loss.remove(filter);
        send(8);
        assertEquals(List.of(8), near.received());
    }
}
