package io.jverbs.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.ffm.RecordingStruct.Called;
import io.jverbs.ffm.ibverbs.IbvConstants;
import io.jverbs.ffm.ibverbs.ibv_device_attr_ex;
import io.jverbs.ffm.ibverbs.ibv_port_attr;
import io.jverbs.ffm.ibverbs.ibv_qp_init_attr_ex;
import io.jverbs.ffm.ibverbs.ibv_query_device_ex_input;
import io.jverbs.ffm.ibverbs.ibv_srq_init_attr_ex;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the verbs that {@code infiniband/verbs.h} dispatches through {@code struct verbs_context}, with the checks of
 * that header.
 */
class ContextOpTest {

    private static final int EOPNOTSUPP = 95;

    private final Arena arena = Arena.ofConfined();
    private final FakeContext fake = new FakeContext(arena);
    private final long context = fake.address();
    private final MemorySegment buffer = arena.allocate(1024, 8);

    @AfterEach
    void free() {
        arena.close();
    }

    private void assertCalls(Called expected, Runnable verb) {
        fake.extendedOps().with(expected.member());
        verb.run();
        assertEquals(List.of(expected), fake.extendedOps().calls());
    }

    @Test
    void everyVerbPassesItsArgumentsInOrder() {
        var object = fake.object().address();
        long in = buffer.address();
        assertCalls(Called.with("query_rt_values", context, in), () -> DeviceCalls.queryRtValuesEx(context, buffer));
        assertCalls(Called.with("alloc_td", context, in), () -> DomainCalls.allocTd(context, buffer));
        assertCalls(Called.with("dealloc_td", object), () -> DomainCalls.deallocTd(object));
        assertCalls(Called.with("alloc_parent_domain", context, in),
                () -> DomainCalls.allocParentDomain(context, buffer));
        assertCalls(Called.with("open_xrcd", context, in), () -> DomainCalls.openXrcd(context, buffer));
        assertCalls(Called.with("close_xrcd", object), () -> DomainCalls.closeXrcd(object));
        assertCalls(Called.with("advise_mr", object, 2, 1, in, 3),
                () -> MemoryCalls.adviseMr(object, 2, 1, buffer, 3));
        assertCalls(Called.with("alloc_null_mr", object), () -> MemoryCalls.allocNullMr(object));
        assertCalls(Called.with("alloc_dm", context, in), () -> MemoryCalls.allocDm(context, buffer));
        assertCalls(Called.with("free_dm", object), () -> MemoryCalls.freeDm(object));
        assertCalls(Called.with("reg_dm_mr", object, 77, 8, 16, 5),
                () -> MemoryCalls.regDmMr(object, 77, 8, 16, 5));
        assertCalls(Called.with("create_cq_ex", context, in), () -> CompletionCalls.createCqEx(context, buffer));
        assertCalls(Called.with("modify_cq", object, in), () -> CompletionCalls.modifyCq(object, buffer));
        assertCalls(Called.with("get_srq_num", object, in), () -> SharedReceiveCalls.getSrqNum(object, buffer));
        assertCalls(Called.with("open_qp", context, in), () -> QueuePairCalls.openQp(context, buffer));
        assertCalls(Called.with("modify_qp_rate_limit", object, in),
                () -> QueuePairCalls.modifyQpRateLimit(object, buffer));
    }

    @Test
    void queryPortPassesTheSizeOfTheStruct() {
        assertCalls(Called.with("query_port", context, 1, buffer.address(), ibv_port_attr.layout().byteSize()),
                () -> DeviceCalls.queryPort(context, 1, buffer));
    }

    @Test
    void queryDeviceExPassesTheSizeOfTheStruct() {
        assertCalls(
                Called.with("query_device_ex", context, 0, buffer.address(), ibv_device_attr_ex.layout().byteSize()),
                () -> DeviceCalls.queryDeviceEx(context, MemorySegment.NULL, buffer));
    }

    @Test
    void queryDeviceExRefusesAnUnknownMask() {
        fake.extendedOps().with("query_device_ex");
        ibv_query_device_ex_input.comp_mask(buffer, 1);
        assertEquals(22, DeviceCalls.queryDeviceEx(context, buffer, arena.allocate(1024, 8)));
        assertEquals(List.of(), fake.extendedOps().calls());
    }

    @Test
    void createQpExCallsTheDriverForAttributesBeyondTheDomain() {
        ibv_qp_init_attr_ex.comp_mask(buffer,
                IbvConstants.IBV_QP_INIT_ATTR_PD() | IbvConstants.IBV_QP_INIT_ATTR_SEND_OPS_FLAGS());
        assertCalls(Called.with("create_qp_ex", context, buffer.address()),
                () -> QueuePairCalls.createQpEx(context, buffer));
    }

    @Test
    void createSrqExCallsTheDriverForAnXrcQueue() {
        ibv_srq_init_attr_ex.comp_mask(buffer,
                IbvConstants.IBV_SRQ_INIT_ATTR_PD() | IbvConstants.IBV_SRQ_INIT_ATTR_TYPE());
        ibv_srq_init_attr_ex.srq_type(buffer, IbvConstants.IBV_SRQT_XRC());
        assertCalls(Called.with("create_srq_ex", context, buffer.address()),
                () -> SharedReceiveCalls.createSrqEx(context, buffer));
    }

    @Test
    void anAddressIsReturnedUnchanged() {
        fake.extendedOps().with("alloc_td");
        fake.extendedOps().returns("alloc_td", 0x7f00_1234_5678L);
        assertEquals(0x7f00_1234_5678L, DomainCalls.allocTd(context, buffer));
    }

    @Test
    void aPositiveOrNegativeErrnoIsReturnedAsPositive() {
        fake.extendedOps().with("query_rt_values");
        fake.extendedOps().returns("query_rt_values", 12);
        assertEquals(12, DeviceCalls.queryRtValuesEx(context, buffer));
        fake.extendedOps().returns("query_rt_values", -12);
        assertEquals(12, DeviceCalls.queryRtValuesEx(context, buffer));
    }

    @Test
    void aMissingMemberIsNotSupported() {
        assertMissing();
    }

    @Test
    void aContextThatIsNotExtendedSupportsNoExtendedVerbs() {
        fake.extendedOps().withAllMembers();
        fake.abiCompat(0);
        assertMissing();
        assertEquals(List.of(), fake.extendedOps().calls());
    }

    @Test
    void aVerbBeyondTheEndOfASmallerStructIsNotSupported() {
        fake.extendedOps().withAllMembers();
        fake.sizeBeginningAt("alloc_td", 1);
        assertEquals(-EOPNOTSUPP, DomainCalls.allocTd(context, buffer));
        fake.sizeBeginningAt("alloc_td", 0);
        fake.extendedOps().returns("alloc_td", 1);
        assertEquals(1, DomainCalls.allocTd(context, buffer));
    }

    @Test
    void aStructLargerThanThisOneHasAllMembers() {
        fake.extendedOps().with("query_rt_values");
        fake.size(Long.MAX_VALUE);
        assertEquals(0, DeviceCalls.queryRtValuesEx(context, buffer));
    }

    private void assertMissing() {
        var object = fake.object().address();
        assertEquals(-EOPNOTSUPP, DomainCalls.allocTd(context, buffer));
        assertEquals(-EOPNOTSUPP, CompletionCalls.createCqEx(context, buffer));
        assertEquals(-EOPNOTSUPP, MemoryCalls.allocNullMr(object));
        assertEquals(EOPNOTSUPP, DomainCalls.deallocTd(object));
        assertEquals(EOPNOTSUPP, DomainCalls.closeXrcd(object));
        assertEquals(EOPNOTSUPP, CompletionCalls.modifyCq(object, buffer));
        assertEquals(EOPNOTSUPP, DeviceCalls.queryRtValuesEx(context, buffer));
    }
}
