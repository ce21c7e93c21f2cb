package io.jverbs.soft.errors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.AhAttributes;
import io.jverbs.CompletionQueue;
import io.jverbs.Errno;
import io.jverbs.MemoryRegion;
import io.jverbs.Mtu;
import io.jverbs.MwBind;
import io.jverbs.MwType;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.Reregistration;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.SharedReceiveQueue;
import io.jverbs.SrqInitAttributes;
import io.jverbs.Verbs;
import io.jverbs.VerbsException;
import io.jverbs.WrOpcode;
import io.jverbs.control.DeviceRemoval;
import io.jverbs.fault.FaultInjection;
import io.jverbs.fault.FaultRule;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each reason to refuse a post has its own message, with the value and what is allowed. Catalogue items
 * D22, E2, E4, E10, E13, E14, F7, G2, H1, H11, I2, I3.
 */
final class PostRefusedTest {
    private static final int ALL = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ
            | Access.REMOTE_ATOMIC | Access.MW_BIND;
    private static final Set<WrOpcode> UD = EnumSet.of(WrOpcode.SEND, WrOpcode.SEND_WITH_IMM);
    private static final Set<WrOpcode> RC = EnumSet.range(WrOpcode.RDMA_WRITE, WrOpcode.SEND_WITH_INV);

    private final RdmaContext context = Verbs.open("soft");
    private ProtectionDomain pd;
    private CompletionQueue cq;
    private MemoryRegion region;

    @BeforeEach
    void open() {
        pd = context.allocatePd();
        cq = context.createCompletionQueue(256);
        region = pd.allocate(4096, ALL);
    }

    @AfterEach
    void close() {
        context.close();
    }

    private QueuePair queuePair(QpType type) {
        return pd.createQueuePair(
                QpInitAttributes.builder(type).cq(cq).maxSendWr(4).maxRecvWr(4).maxSendSge(2).maxRecvSge(2)
                        .maxInlineData(64).build());
    }

    /** Creates a queue pair, which is connected to itself unless it is UD, and moves it to a state. */
    private QueuePair in(QpState last, QpType type) {
        return in(last, queuePair(type), 4);
    }

    private QueuePair in(QpState last, QueuePair qp, int maxRdAtomic) {
        if (last != QpState.RESET) {
            QpAttributes.Builder init = QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(1);
            qp.modify((qp.type() == QpType.UD ? init.qkey(17) : init.accessFlags(0)).build());
        }
        if (last != QpState.RESET && last != QpState.INIT) {
            AhAttributes path = AhAttributes.to(context.preferredGid(1).gid(), 1, context.preferredGid(1).index());
            QpAttributes.Builder receive = QpAttributes.builder().state(QpState.RTR);
            if (qp.type() != QpType.UD) {
                receive.addressVector(path).pathMtu(Mtu.MTU_1024).destinationQpn(qp.number()).rqPsn(0);
            }
            qp.modify((qp.type() == QpType.RC ? receive.maxDestRdAtomic(4).minRnrTimer(1) : receive).build());
        }
        if (last == QpState.RTS || last == QpState.SQD) {
            QpAttributes.Builder send = QpAttributes.builder().state(QpState.RTS).sqPsn(0);
            qp.modify((qp.type() == QpType.RC
                    ? send.timeout(14).retryCount(1).rnrRetry(7).maxRdAtomic(maxRdAtomic)
                    : send).build());
        }
        if (last == QpState.SQD) {
            qp.modify(QpAttributes.builder().state(QpState.SQD).build());
        }
        return qp;
    }

    private SendWorkRequest write() {
        return SendWorkRequest.create(4).opcode(WrOpcode.RDMA_WRITE).sge(region, 0, 8).remote(region.address(),
                region.rkey());
    }

    /** Asserts that a post fails with an errno and a message that ends with a reason; tryPostSend returns the errno. */
    private static void assertRefused(QueuePair qp, SendWorkRequest head, Errno errno, String reason) {
        assertReason("post_send", errno, reason, assertThrows(VerbsException.class, () -> qp.postSend(head)));
        assertEquals(errno.code(), qp.tryPostSend(head));
    }

    private static void assertRefused(QueuePair qp, ReceiveWorkRequest head, Errno errno, String reason) {
        assertReason("post_recv", errno, reason, assertThrows(VerbsException.class, () -> qp.postReceive(head)));
        assertEquals(errno.code(), qp.tryPostReceive(head));
    }

    private static void assertReason(String operation, Errno errno, String reason, VerbsException refused) {
        assertEquals(operation, refused.operation());
        assertSame(errno, refused.error());
        assertTrue(refused.getMessage().endsWith(": " + reason),
                () -> refused.getMessage() + "\n  does not end with\n" + reason);
    }

    @ParameterizedTest
    @EnumSource(names = {"RESET", "INIT", "RTR"})
    void aStateThatDoesNotAcceptSendsIsNamed(QpState state) {
        assertRefused(in(state, QpType.RC), write(), Errno.EINVAL, "a queue pair in " + state
                + " does not accept send requests, which require RTS, SQD, SQE or ERR: move it to RTS first");
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNKNOWN")
    void anUnsupportedOperationIsNamedWithTheSupportedOnes(WrOpcode opcode) {
        Set<WrOpcode> uc = EnumSet.copyOf(RC);
        uc.removeAll(Set.of(WrOpcode.RDMA_READ, WrOpcode.ATOMIC_CMP_AND_SWP, WrOpcode.ATOMIC_FETCH_AND_ADD,
                WrOpcode.SEND_WITH_INV));
        assertLacks(QpType.RC, RC, opcode);
        assertLacks(QpType.UC, uc, opcode);
        assertLacks(QpType.UD, UD, opcode);
    }

    private void assertLacks(QpType type, Set<WrOpcode> has, WrOpcode opcode) {
        if (!has.contains(opcode)) {
            assertRefused(in(QpState.RTS, type), SendWorkRequest.create(0).opcode(opcode), Errno.EINVAL,
                    opcode + " is not supported by queue pairs of type " + type + ", which support "
                            + String.join(", ", has.stream().map(Enum::name).toList()));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {12, 99, -1})
    void anUnknownOpcodeIsNamed(int opcode) {
        assertRefused(in(QpState.RTS, QpType.UC), SendWorkRequest.create(0).opcode(opcode), Errno.EINVAL,
                "opcode " + opcode + " is not supported by queue pairs of type UC, which support RDMA_WRITE,"
                        + " RDMA_WRITE_WITH_IMM, SEND, SEND_WITH_IMM, LOCAL_INV, BIND_MW");
    }

    @Test
    void tooManyElementsAreReportedWithTheAllowedNumber() {
        String reason = "it has 3 scatter/gather elements, and the queue allows 0 to 2 per request";
        assertRefused(in(QpState.RTS, QpType.RC), write().sge(2, region, 0, 8), Errno.EINVAL, reason);
        assertRefused(in(QpState.INIT, QpType.RC), ReceiveWorkRequest.create(3).sge(2, region, 0, 8), Errno.EINVAL,
                reason);
    }

    @ParameterizedTest
    @EnumSource(names = {"RDMA_READ", "ATOMIC_CMP_AND_SWP", "ATOMIC_FETCH_AND_ADD"})
    void aMaxRdAtomicOfZeroIsNamed(WrOpcode opcode) {
        QueuePair qp = in(QpState.RTS, queuePair(QpType.RC), 0);
        assertRefused(qp, write().opcode(opcode), Errno.EINVAL,
                opcode + " needs a maxRdAtomic of 1 to 128, but the queue pair was moved to RTS with 0");
        qp.postSend(write());
    }

    @Test
    void aDatagramWithoutAddressHandleIsRefused() {
        assertRefused(in(QpState.RTS, QpType.UD), SendWorkRequest.create(1).sge(region, 0, 8), Errno.EINVAL,
                "a datagram needs an address handle, and the request has none: set it with destination(...)");
    }

    @Test
    void aBindWithoutWindowOrOfATypeOneWindowIsRefused() {
        QueuePair qp = in(QpState.RTS, QpType.RC);
        assertRefused(qp, SendWorkRequest.create(0).opcode(WrOpcode.BIND_MW), Errno.EINVAL,
                "BIND_MW needs a window, and the request has none: set it with bind(...)");
        assertRefused(qp,
                SendWorkRequest.create(0).bind(pd.allocateMemoryWindow(MwType.TYPE_1), 1,
                        new MwBind(region, region.address(), 8, Access.REMOTE_READ)),
                Errno.EINVAL, "BIND_MW binds windows of TYPE_2, and this one is of TYPE_1: bind it with"
                        + " bindMemoryWindow(...)");
    }

    @Test
    void inlineDataThatIsTooLongIsReportedWithItsLength() {
        QueuePair qp = in(QpState.RTS, QpType.RC);
        String reason = "its inline data has 65 bytes, and the queue pair allows 0 to 64 bytes (maxInlineData)";
        assertRefused(qp, write().sge(region, 0, 65).flags(SendFlags.INLINE), Errno.EINVAL, reason);
        assertRefused(qp, write().sge(0, region, 0, 60).sge(1, region, 0, 5).flags(SendFlags.INLINE), Errno.EINVAL,
                reason);
    }

    @ParameterizedTest
    @EnumSource(names = {"RDMA_READ", "ATOMIC_CMP_AND_SWP", "ATOMIC_FETCH_AND_ADD", "LOCAL_INV"})
    void anOperationThatCannotBeInlineIsNamed(WrOpcode opcode) {
        assertRefused(in(QpState.RTS, QpType.RC), write().opcode(opcode).flags(SendFlags.INLINE), Errno.EINVAL,
                "INLINE is allowed for SEND, SEND_WITH_IMM, SEND_WITH_INV, RDMA_WRITE and RDMA_WRITE_WITH_IMM; "
                        + opcode + " sends no local data");
    }

    @Test
    void anInlineElementGivenByRawAddressIsNamed() {
        assertRefused(in(QpState.RTS, QpType.RC),
                write().sge(1, region.address(), 8, region.lkey()).flags(SendFlags.INLINE), Errno.EINVAL,
                "INLINE element 1 is given by a raw address, and this device cannot read memory by address: give a"
                        + " region or a segment");
    }

    @Test
    void aConfinedArenaOfAnotherThreadIsNamed() {
        QueuePair qp = in(QpState.RTS, QpType.RC);
        Executor thread = task -> Thread.ofPlatform().start(task);
        try (Arena confined = Arena.ofConfined()) {
            MemorySegment mine = confined.allocate(8);
            SendWorkRequest request = write().sge(1, mine).flags(SendFlags.INLINE);
            VerbsException refused = CompletableFuture
                    .supplyAsync(() -> assertThrows(VerbsException.class, () -> qp.postSend(request)), thread).join();
            assertSame(Errno.EFAULT, refused.error());
            assertTrue(
                    refused.getMessage().contains(": element 1 refers to a segment of another thread's confined arena"),
                    refused::getMessage);
            qp.postSend(request);
        }
    }

    @Test
    void aRegionThatWasReregisteredShorterIsNamed() {
        QueuePair qp = in(QpState.RTS, QpType.RC);
        SendWorkRequest request = write().sge(region, 4000, 64).flags(SendFlags.INLINE);
        long address = region.address();
        region.reregister(Reregistration.builder().translation(Arena.ofAuto().allocate(100), address).build());
        assertRefused(qp, request, Errno.EFAULT, "element 0 refers to 64 bytes at offset 4000 of " + region
                + ", which was re-registered after the element was set: set the element again");
    }

    @Test
    void aFullSendQueueIsReportedWithItsSize() {
        QueuePair qp = in(QpState.SQD, QpType.RC);
        for (int i = 0; i < 4; i++) {
            qp.postSend(write());
        }
        assertRefused(qp, write(), Errno.ENOMEM,
                "the send queue of 4 requests is full: a slot becomes free when the completion of its request, or of a"
                        + " later SIGNALED request, has been polled");
    }

    @Test
    void aChainLongerThanTheQueueIsDistinguishedFromAFullQueue() {
        QueuePair qp = in(QpState.SQD, QpType.RC);
        SendWorkRequest chain = write().next(write().next(write().next(write().next(write()))));
        VerbsException refused = assertThrows(VerbsException.class, () -> qp.postSend(chain));
        assertReason("post_send", Errno.ENOMEM,
                "it is number 5 of its chain, and the send queue holds 4 requests: post the chain in parts", refused);
        ReceiveWorkRequest cyclic = ReceiveWorkRequest.create(0);
        cyclic.next(cyclic);
        assertReason("post_recv", Errno.ENOMEM,
                "it is number 5 of its chain, and the receive queue holds 4 requests: post the chain in parts",
                assertThrows(VerbsException.class, () -> qp.postReceive(cyclic)));
    }

    @Test
    void aQueueWithoutSlotsIsDistinguishedFromAFullOne() {
        QueuePair qp = in(QpState.RTS, pd.createQueuePair(
                QpInitAttributes.builder(QpType.RC).cq(cq).maxSendWr(0).maxRecvWr(0).build()), 4);
        assertRefused(qp, SendWorkRequest.create(0), Errno.ENOMEM, "the send queue was created with 0 slots");
        assertRefused(qp, ReceiveWorkRequest.create(0), Errno.ENOMEM, "the receive queue was created with 0 slots");
    }

    @Test
    void receivesAreRefusedInResetWithTheState() {
        assertRefused(in(QpState.RESET, QpType.UD), ReceiveWorkRequest.create(0), Errno.EINVAL,
                "a queue pair in RESET does not accept receive requests: move it to INIT first");
    }

    @Test
    void aFullReceiveQueueIsReportedWithItsSize() {
        QueuePair qp = in(QpState.INIT, QpType.UC);
        for (int i = 0; i < 4; i++) {
            qp.postReceive(ReceiveWorkRequest.create(0));
        }
        assertRefused(qp, ReceiveWorkRequest.create(0), Errno.ENOMEM,
                "the receive queue of 4 requests is full: a slot becomes free when the completion of its request has"
                        + " been polled");
    }

    @Test
    void aReceiveOnAQueuePairWithASharedReceiveQueueIsRefused() {
        SharedReceiveQueue srq = pd.createSharedReceiveQueue(SrqInitAttributes.of(4, 1));
        QueuePair qp = pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).srq(srq).build());
        assertRefused(in(QpState.INIT, qp, 0), ReceiveWorkRequest.create(0), Errno.EINVAL,
                "the queue pair uses a shared receive queue: post to that queue");
    }

    @Test
    void aSharedReceiveQueueReportsItsSizes() {
        SharedReceiveQueue srq = pd.createSharedReceiveQueue(SrqInitAttributes.of(4, 1));
        assertReason("post_srq_recv", Errno.EINVAL,
                "it has 2 scatter/gather elements, and the queue allows 0 to 1 per request",
                assertThrows(VerbsException.class,
                        () -> srq.postReceive(ReceiveWorkRequest.create(2).sge(1, region, 0, 8))));
        for (int i = 0; i < 4; i++) {
            srq.postReceive(ReceiveWorkRequest.create(0));
        }
        assertReason("post_srq_recv", Errno.ENOMEM,
                "the shared receive queue of 4 requests is full: a slot becomes free when a message has consumed its"
                        + " request and, on some devices, its completion has been polled",
                assertThrows(VerbsException.class, () -> srq.postReceive(ReceiveWorkRequest.create(0))));
    }

    @Test
    void aRefusedBindOfATypeOneWindowNamesTheStateTheTypeOrTheFullQueue() {
        MwBind bind = new MwBind(region, region.address(), 8, Access.REMOTE_READ);
        assertBindRefused(in(QpState.RTR, QpType.RC), bind, Errno.EINVAL,
                "a queue pair binds windows in RTS, SQD, SQE and ERR; this queue pair is in RTR");
        assertBindRefused(in(QpState.RTS, QpType.UD), bind, Errno.EINVAL,
                "memory windows are bound by RC and UC queue pairs; this queue pair is UD");
        QueuePair full = in(QpState.SQD, QpType.RC);
        for (int i = 0; i < 4; i++) {
            full.postSend(write());
        }
        assertBindRefused(full, bind, Errno.ENOMEM,
                "the send queue of 4 requests is full: a slot becomes free when the completion of its request, or of a"
                        + " later SIGNALED request, has been polled");
    }

    private void assertBindRefused(QueuePair qp, MwBind bind, Errno errno, String reason) {
        try (var window = pd.allocateMemoryWindow(MwType.TYPE_1)) {
            int key = window.rkey();
            assertReason("bind_mw", errno, reason,
                    assertThrows(VerbsException.class, () -> qp.bindMemoryWindow(window, 1, 0, bind)));
            assertEquals(key, window.rkey());
        }
    }

    @Test
    void aRemovedDeviceIsNamedAsTheReason() {
        try (RdmaContext gone = Verbs.open("soft:soft9")) {
            ProtectionDomain domain = gone.allocatePd();
            QueuePair qp = domain.createQueuePair(QpInitAttributes.builder(QpType.RC)
                    .cq(gone.createCompletionQueue(4)).build());
            SharedReceiveQueue srq = domain.createSharedReceiveQueue(SrqInitAttributes.of(4, 1));
            gone.device().capability(DeviceRemoval.class).orElseThrow().remove();
            String reason = "device soft9 was removed";
            assertRefused(qp, SendWorkRequest.create(0), Errno.EIO, reason);
            assertRefused(qp, ReceiveWorkRequest.create(0), Errno.EIO, reason);
            assertReason("post_srq_recv", Errno.EIO, reason,
                    assertThrows(VerbsException.class, () -> srq.postReceive(ReceiveWorkRequest.create(0))));
        }
    }

    @Test
    void aFaultRuleThatRefusesAPostIsNamed() {
        FaultInjection faults = FaultInjection.of(FaultRule.failSend(Errno.ENOMEM).nth(2),
                FaultRule.failReceive(Errno.EINVAL).nth(1));
        try (RdmaContext faulty = Verbs.select("soft").open(faults)) {
            ProtectionDomain domain = faulty.allocatePd();
            QueuePair qp = in(QpState.RTS, domain.createQueuePair(QpInitAttributes.builder(QpType.UC)
                    .cq(faulty.createCompletionQueue(4)).build()), 0);
            qp.postSend(SendWorkRequest.create(0));
            assertReason("post_send", Errno.ENOMEM,
                    "fault injection rejected it by the rule post=ENOMEM",
                    assertThrows(VerbsException.class, () -> qp.postSend(SendWorkRequest.create(0))));
            assertReason("post_recv", Errno.EINVAL,
                    "fault injection rejected it by the rule recv=EINVAL",
                    assertThrows(VerbsException.class, () -> qp.postReceive(ReceiveWorkRequest.create(0))));
            // the device itself refuses the next post
            assertReason("post_send", Errno.EINVAL,
                    "it has 2 scatter/gather elements, and the queue allows 0 to 1 per request",
                    assertThrows(VerbsException.class, () -> qp.postSend(
                            SendWorkRequest.create(2).sge(1, 0L, 0, 0))));
        }
    }
}
