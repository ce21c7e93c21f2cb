package io.jverbs.contract.device;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.AtomicCapability;
import io.jverbs.DeviceAttributes;
import io.jverbs.Errno;
import io.jverbs.MwType;
import io.jverbs.NodeType;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.TransportType;
import io.jverbs.WcStatus;
import io.jverbs.contract.VerbsContract;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.Qp;
import io.jverbs.contract.dsl.QpOptions;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.end.End;
import io.jverbs.contract.end.JobCommands.ObjectKind;
import io.jverbs.contract.end.MrSpec;
import io.jverbs.contract.end.QpSpec;
import io.jverbs.contract.end.ReregSpec;
import io.jverbs.contract.fixture.Catalogue;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests devices, contexts, and the objects of a context. */
final class DeviceContract extends VerbsContract {

    @Test
    @Catalogue("A1")
    void theDeviceListIsStableAndContainsTheDevice() {
        List<String> names = left.end().deviceNames();
        assertEquals(names, left.end().deviceNames());
        assertTrue(names.contains(left.end().deviceName()), () -> left.end().deviceName() + " should be in " + names);
        assertEquals(names.size(), names.stream().distinct().count(), () -> "names should be unique: " + names);
    }

    @Test
    @Catalogue("A2")
    void aDeviceOpensManyTimesFromManyThreadsAsDistinctContexts() {
        assertEquals(8 * 32, left.end().openManyContexts(8, 32));
    }

    @Test
    @Catalogue("A2")
    void contextsAreIndependent() {
        int other = left.end().openContext();
        int pd = left.end().allocatePd(other);
        left.end().destroy(other);
        assertTrue(left.end().isClosed(other));
        assertFalse(left.end().isClosed(End.MAIN));
        assertRefused(IllegalStateException.class, () -> left.end().registerMemory(MrSpec.of(pd, 64, 0)));
        assertRefused(IllegalStateException.class, () -> left.end().queryDevice(other));
        assertDelivers(rcPair());
    }

    @Test
    @Catalogue("A3")
    void aCompletionQueueOfAnotherContextIsRefusedAndStaysUsable() {
        int other = left.end().openContext();
        int foreign = left.end().createCq(other, 16, End.NONE, 0).id();
        assertErrno(Errno.EINVAL, () -> left.end().createQp(QpSpec.of(QpType.RC, left.pd(), foreign)), Errno.ENOENT);
        int pd = left.end().allocatePd(other);
        assertDoesNotThrow(() -> left.end().createQp(QpSpec.of(QpType.RC, pd, foreign)));
    }

    @Test
    @Catalogue("A3")
    void aSharedReceiveQueueOfAnotherContextIsRefused() {
        int other = left.end().openContext();
        int foreign = left.end().createSrq(left.end().allocatePd(other), 4, 1, 0).id();
        int cq = left.cq().id();
        assertErrno(Errno.EINVAL, () -> left.end().createQp(QpSpec.of(QpType.RC, left.pd(), cq).srq(foreign)),
                Errno.ENOENT);
    }

    @Test
    @Catalogue("A3")
    void aChannelOfAnotherContextIsRefused() {
        int foreign = left.end().createChannel(left.end().openContext());
        assertErrno(Errno.EINVAL, () -> left.end().createCq(End.MAIN, 16, foreign, 0), Errno.ENOENT);
    }

    @Test
    @Catalogue("A3")
    void reregistrationToADomainOfAnotherContextIsRefused() {
        int foreign = left.end().allocatePd(left.end().openContext());
        Region region = left.region(64);
        assertErrno(Errno.EINVAL, () -> left.end().reregister(region.id(), ReregSpec.none().pd(foreign)),
                Errno.ENOENT);
        left.end().destroy(foreign);
        region.destroy();
    }

    /** Creates one object of each kind, in dependency order. */
    private Map<ObjectKind, Integer> oneOfEach() {
        int pd = left.newPd();
        int cq = left.cq().id();
        int qp = left.end().createQp(QpSpec.of(QpType.RC, left.pd(), cq)).id();
        return Map.of(ObjectKind.PD, pd, ObjectKind.CQ, left.cq().id(), ObjectKind.QP, qp,
                ObjectKind.MR, left.region(64).id(), ObjectKind.MW, left.window(MwType.TYPE_1).id(),
                ObjectKind.SRQ, left.srq(4, 1).id(), ObjectKind.AH, left.ah(left.pathTo(right)));
    }

    @ParameterizedTest
    @EnumSource(ObjectKind.class)
    @Catalogue("A4")
    void aSecondDestroyHasNoEffect(ObjectKind kind) {
        int id = oneOfEach().get(kind);
        left.end().destroy(id);
        assertDoesNotThrow(() -> left.end().destroy(id));
        assertFalse(left.end().describe(id).isEmpty());
        assertDelivers(rcPair());
    }

    @Test
    @Catalogue("A4")
    void aSecondDestroyOfAChannelHasNoEffect() {
        int channel = left.channel();
        left.end().destroy(channel);
        assertDoesNotThrow(() -> left.end().destroy(channel));
        assertRefused(IllegalStateException.class, () -> left.end().awaitCqEvent(channel, 1));
    }

    @Test
    @Catalogue("A4")
    void closedQueuesRefuseEveryOperation() {
        Qp qp = left.qp(QpType.RC);
        qp.destroy();
        assertRefused(IllegalStateException.class, () -> qp.tryPost(send()));
        assertRefused(IllegalStateException.class, () -> left.end().postSend(qp.id(), List.of(send())));
        assertRefused(IllegalStateException.class, () -> qp.tryPostRecv(recv()));
        assertRefused(IllegalStateException.class, () -> qp.modify(QpState.RESET));
        assertRefused(IllegalStateException.class, qp::query);
        qp.sendCq().destroy();
        assertRefused(IllegalStateException.class, () -> qp.sendCq().poll(1));
        assertRefused(IllegalStateException.class, () -> qp.sendCq().arm());
        assertRefused(IllegalStateException.class, () -> left.end().resizeCq(qp.sendCq().id(), 8));
    }

    @Test
    @Catalogue("A4")
    void requestsThatNameClosedObjectsAreRefused() {
        Pair pair = udPair();
        Region region = left.region(64);
        region.destroy();
        assertRefused(IllegalStateException.class, () -> pair.left().tryPost(pair.toRight(send(region.part(0, 8)))));
        left.end().destroy(pair.toRight());
        assertRefused(IllegalStateException.class, () -> pair.left().tryPost(pair.toRight(send())));
        assertNoCompletion(pair.left().sendCq());
    }

    @Test
    @Catalogue("A5")
    void limitsArePositiveAndConstant() {
        DeviceAttributes device = left.device();
        Map<String, Integer> limits = Map.ofEntries(Map.entry("maxQp", device.maxQp()),
                Map.entry("maxQpWr", device.maxQpWr()), Map.entry("maxSge", device.maxSge()),
                Map.entry("maxSgeRd", device.maxSgeRd()), Map.entry("maxCq", device.maxCq()),
                Map.entry("maxCqe", device.maxCqe()), Map.entry("maxMr", device.maxMr()),
                Map.entry("maxPd", device.maxPd()), Map.entry("maxQpRdAtom", device.maxQpRdAtom()),
                Map.entry("maxResRdAtom", device.maxResRdAtom()),
                Map.entry("maxQpInitRdAtom", device.maxQpInitRdAtom()), Map.entry("maxMw", device.maxMw()),
                Map.entry("maxMcastGroups", device.maxMcastGroups()),
                Map.entry("maxMcastQpAttach", device.maxMcastQpAttach()),
                Map.entry("maxTotalMcastQpAttach", device.maxTotalMcastQpAttach()),
                Map.entry("maxAh", device.maxAh()), Map.entry("maxSrq", device.maxSrq()),
                Map.entry("maxSrqWr", device.maxSrqWr()), Map.entry("maxSrqSge", device.maxSrqSge()),
                Map.entry("maxPkeys", device.maxPkeys()), Map.entry("completionVectors", device.completionVectors()));
        assertTrue(device.maxMrSize() != 0, "maxMrSize (unsigned) is 0");
        limits.forEach((name, limit) -> assertTrue(limit > 0, () -> name + " is " + limit));
        assertTrue(device.portCount() >= 1);
        assertTrue((device.pageSizeCap() & 4096) != 0, () -> "pageSizeCap 0x" + Long.toHexString(device.pageSizeCap())
                + " should include pages of 4096 bytes");
        rcPair();
        assertEquals(device, left.device());
        assertEquals(device, left.end().queryDevice(left.end().openContext()));
    }

    @Test
    @Catalogue("A22")
    void atomicsWorkIfTheDeviceReportsThem() {
        AtomicCapability capability = left.device().atomicCapability();
        assertTrue(capability == AtomicCapability.HCA || capability == AtomicCapability.GLOB
                || capability == AtomicCapability.NONE, () -> "atomic capability " + capability);
        Pair pair = rcPair();
        Region result = left.region(8);
        Region counter = right.region(8);
        WcStatus status = pair.left().execute(fetchAndAdd(counter, 5, result.sge())).status();
        boolean offered = right.device().atomicCapability() != AtomicCapability.NONE
                && capability != AtomicCapability.NONE;
        assertEquals(offered, status == WcStatus.SUCCESS, () -> capability + " and " + status);
    }

    @Test
    @Catalogue("A23")
    void outstandingReadsUpToTheLimitsAreAccepted() {
        int initiator = left.device().maxQpInitRdAtom();
        int responder = left.device().maxQpRdAtom();
        Pair pair = rcPair(o -> o.left(l -> l.maxRdAtomic(initiator).maxDestRdAtomic(responder)));
        assertDelivers(pair);
    }

    @Test
    @Catalogue("A23")
    void moreOutstandingReadsThanTheInitiatorLimitAreRefused() {
        int limit = left.device().maxQpInitRdAtom();
        Pair pair = rcPair(o -> o.upTo(QpState.RTR));
        assertErrno(Errno.EINVAL, () -> pair.left()
                .modify(pair.left().options().rtsAttributes(QpType.RC).maxRdAtomic(limit + 1)));
        assertEquals(QpState.RTR, pair.left().state());
    }

    @Test
    @Catalogue("A23")
    void moreOutstandingReadsThanTheResponderLimitAreRefused() {
        int limit = left.device().maxQpRdAtom();
        Pair pair = rcPair(o -> o.upTo(QpState.INIT));
        assertErrno(Errno.EINVAL, () -> pair.left().modify(pair.left().options()
                .rtrAttributes(QpType.RC, left, pair.right()).maxDestRdAtomic(limit + 1)));
        assertEquals(QpState.INIT, pair.left().state());
    }

    @Test
    @Catalogue("A24")
    void theAckDelayIsAFiveBitExponent() {
        int delay = left.device().localCaAckDelay();
        assertTrue(delay >= 0 && delay <= 31, () -> "delay " + delay);
    }

    @Test
    @Catalogue("A26")
    void theDeviceIsAChannelAdapterWithAFirmwareVersion() {
        DeviceAttributes device = left.device();
        assertEquals(NodeType.CA, device.nodeType());
        assertEquals(TransportType.IB, device.transportType());
        assertEquals(1, NodeType.CA.code());
        assertEquals(0, TransportType.IB.code());
        assertFalse(device.fwVersion().isEmpty());
        assertFalse(device.fwVersion().contains("\0"));
    }

    @Test
    @Catalogue("B9")
    void accessFlagsHaveTheValuesOfVerbs() {
        assertEquals(List.of(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1 << 20),
                List.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC,
                        Access.MW_BIND, Access.ZERO_BASED, Access.ON_DEMAND, Access.HUGETLB, Access.FLUSH_GLOBAL,
                        Access.FLUSH_PERSISTENT, Access.RELAXED_ORDERING));
    }

    @Test
    @Catalogue("B2")
    void aClosedDomainRefusesEveryCreation() {
        int pd = left.newPd();
        int cq = left.cq().id();
        left.end().destroy(pd);
        assertRefused(IllegalStateException.class, () -> left.end().registerMemory(MrSpec.of(pd, 64, 0)));
        assertRefused(IllegalStateException.class, () -> left.window(MwType.TYPE_1, pd));
        assertRefused(IllegalStateException.class, () -> left.srq(pd, 4, 1));
        assertRefused(IllegalStateException.class, () -> left.end().createAh(pd, left.pathTo(right)));
        assertRefused(IllegalStateException.class, () -> left.end().createQp(QpSpec.of(QpType.RC, pd, cq)));
        left.end().destroy(cq);
    }

    @ParameterizedTest
    @EnumSource(names = {"AH", "MR", "MW", "QP", "SRQ"})
    @Catalogue("B1")
    void destroyOfADomainIsRefusedUntilItsLastObjectIsDestroyed(ObjectKind kind) {
        int pd = left.newPd();
        int child = switch (kind) {
            case AH -> left.end().createAh(pd, left.pathTo(right));
            case MR -> left.region(MrSpec.of(pd, 64, 0)).id();
            case MW -> left.window(MwType.TYPE_2, pd).id();
            case QP -> left.qp(QpType.RC, new QpOptions().pd(pd)).id();
            default -> left.srq(pd, 4, 1).id();
        };
        assertErrno(Errno.EBUSY, () -> left.end().destroy(pd));
        Region proof = left.region(MrSpec.of(pd, 64, Access.LOCAL_WRITE));
        left.end().destroy(child);
        assertErrno(Errno.EBUSY, () -> left.end().destroy(pd));
        proof.destroy();
        assertDoesNotThrow(() -> left.end().destroy(pd));
    }
}
