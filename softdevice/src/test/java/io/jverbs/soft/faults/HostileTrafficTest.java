package io.jverbs.soft.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.CompletionQueue;
import io.jverbs.ConnectionInfo;
import io.jverbs.Gid;
import io.jverbs.MemoryRegion;
import io.jverbs.Mtu;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.WorkCompletions;
import io.jverbs.control.DeviceCounters;
import io.jverbs.soft.LoopbackAddress;
import io.jverbs.soft.fuzz.PacketAccounting;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A peer that sends arbitrary packets touches no memory that was not registered for it; all packets are counted. */
final class HostileTrafficTest {
    private static final String VICTIM = LoopbackAddress.next();
    private static final String ATTACKER = LoopbackAddress.next();
    private static final String DEVICE = "soft:" + VICTIM + "?fabric=wire";
    private static final int PACKETS = Integer.getInteger("jverbs.hostile.packets", 70_000);
    private static final int BURST = 50;
    private static final long SECONDS = 30;
    private static final int GUARD = 8192;
    private static final int OPEN = 4096;
    private static final byte UNTOUCHED = 0x5A;
    private static final int PSN = 100;

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    void noPacketChangesMemoryThatIsNotRegisteredForThePeer(QpType type) throws Exception {
        Gid peer = Gid.ofAddress(InetAddress.getByName(ATTACKER));
        try (Arena arena = Arena.ofShared();
                RdmaContext context = Verbs.open(DEVICE);
                Attacker attacker = new Attacker(ATTACKER, VICTIM, type.code())) {
            MemorySegment memory = arena.allocate(GUARD + OPEN + GUARD, 64).fill(UNTOUCHED);
            ProtectionDomain pd = context.allocatePd();
            int rights = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC;
            MemoryRegion open = pd.registerMemory(memory.asSlice(GUARD, OPEN), rights);
            MemoryRegion closed = pd.registerMemory(memory, Access.LOCAL_WRITE);
            MemoryRegion inbox = pd.allocate(64 << 10, Access.LOCAL_WRITE);
            CompletionQueue cq = context.createCompletionQueue(1024);
            QueuePair qp = pd.createQueuePair(
                    QpInitAttributes.builder(type).cq(cq).maxSendWr(16).maxRecvWr(64).build());
            WorkCompletions completions = WorkCompletions.create(64);
            ReceiveWorkRequest receive = ReceiveWorkRequest.create(1).sge(inbox, 0, 64 << 10);
            prepare(qp, peer);
            DeviceCounters counters = Verbs.select(DEVICE).capability(DeviceCounters.class).orElseThrow();
            long before = PacketAccounting.outcomes(counters.snapshot());
            for (int sent = 0; sent < PACKETS; sent += BURST) {
                QpAttributes now = qp.query();
                if (now.state() != QpState.RTS) {
                    qp.modify(QpAttributes.builder().state(QpState.RESET).build());
                    prepare(qp, peer);
                    now = qp.query();
                }
                qp.tryPostReceive(receive);
                for (int i = 0; i < BURST; i++) {
                    int rkey = (i & 7) == 0 ? closed.rkey() : open.rkey();
                    attacker.attack(qp.number(), now.rqPsn() + i % 3, open.address(), rkey);
                }
                long expected = before + sent + BURST;
                long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
                while (cq.poll(completions) != 0 || PacketAccounting.outcomes(counters.snapshot()) < expected) {
                    // any completion status is allowed
                    assertTrue(System.nanoTime() < end, () -> "some packets were not counted: " + counters.snapshot());
                }
            }
            assertEquals(before + PACKETS, PacketAccounting.outcomes(counters.snapshot()),
                    () -> counters.snapshot().toString());
            System.out.printf("%s: %d hostile packets were received, each accepted or dropped for one reason%n", type,
                    PACKETS);
            assertUntouched(memory.asSlice(0, GUARD));
            assertUntouched(memory.asSlice(GUARD + OPEN, GUARD));
            qp.close();
            open.close();
            closed.close();
        }
        Map<String, Long> counts = Verbs.select(DEVICE).capability(DeviceCounters.class).orElseThrow().snapshot();
        assertTrue(counts.get("bad_icrc") > 0 && counts.get("malformed") > 0 && counts.get("wrong_state") > 0,
                counts::toString);
    }

    private static void assertUntouched(MemorySegment memory) {
        for (long i = 0; i < memory.byteSize(); i++) {
            assertEquals(UNTOUCHED, memory.get(ValueLayout.JAVA_BYTE, i));
        }
    }

    private static void prepare(QueuePair qp, Gid peer) {
        if (qp.type() == QpType.UD) {
            qp.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(1).qkey(0).build());
            qp.modify(QpAttributes.builder().state(QpState.RTR).build());
            qp.modify(QpAttributes.builder().state(QpState.RTS).sqPsn(PSN).build());
        } else {
            Connector.connect(qp, PSN, new ConnectionInfo(77, PSN, peer, Mtu.MTU_1024));
        }
    }
}
