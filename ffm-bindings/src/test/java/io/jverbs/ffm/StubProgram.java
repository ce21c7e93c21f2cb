package io.jverbs.ffm;

import io.jverbs.ffm.ibverbs.IbvConstants;
import io.jverbs.ffm.ibverbs.ibv_device_attr_ex;
import io.jverbs.ffm.ibverbs.ibv_gid_entry;
import io.jverbs.ffm.ibverbs.ibv_qp_init_attr_ex;
import io.jverbs.ffm.ibverbs.ibv_srq_init_attr_ex;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Calls the verbs that {@link StubLibrary} exports, and prints every argument or result that differs from the expected
 * one.
 */
final class StubProgram extends StubCalls {

    private static final int ON_DEMAND = IbvConstants.IBV_ACCESS_ON_DEMAND();
    private static final int RELAXED_ORDERING = IbvConstants.IBV_ACCESS_RELAXED_ORDERING();

    private final MemorySegment a = Arena.global().allocate(1024, 8);
    private final MemorySegment b = Arena.global().allocate(1024, 8);
    private final MemorySegment c = Arena.global().allocate(1024, 8);
    private final long inA = a.address();
    private final long inB = b.address();
    private final long inC = c.address();

    private StubProgram() {
        super(NativeLibrary.ibverbs(), Arrays.stream(IbverbsFunction.values()).map(IbverbsFunction::symbol).toList());
    }

    public static void main(String[] args) {
        var program = new StubProgram();
        if (args.length == 0) {
            program.deviceVerbs();
            program.memoryVerbs();
            program.queueVerbs();
            program.extendedVerbs();
            program.failures();
            System.out.println("untested: " + program.untested());
        } else {
            program.functionsMissingInAnOldLibrary();
        }
        System.out.println("done");
    }

    private void deviceVerbs() {
        setResult(7, 0);
        check("ibv_get_device_list", 7L, () -> DeviceCalls.getDeviceList(a), inA);
        check("ibv_free_device_list", null, () -> nothing(() -> DeviceCalls.freeDeviceList(1)), 1);
        check("ibv_get_device_guid", 7L, () -> DeviceCalls.getDeviceGuid(1), 1);
        check("ibv_get_device_index", 7, () -> DeviceCalls.getDeviceIndex(1), 1);
        check("ibv_open_device", 7L, () -> DeviceCalls.openDevice(1), 1);
        check("ibv_close_device", 7, () -> DeviceCalls.closeDevice(1), 1);
        check("ibv_import_device", 7L, () -> DeviceCalls.importDevice(1), 1);
        check("ibv_get_async_event", 7, () -> DeviceCalls.getAsyncEvent(1, a), 1, inA);
        check("ibv_ack_async_event", null, () -> nothing(() -> DeviceCalls.ackAsyncEvent(a)), inA);
        check("ibv_query_device", 7, () -> DeviceCalls.queryDevice(1, a), 1, inA);
        check("ibv_query_gid", 7, () -> DeviceCalls.queryGid(1, 255, 3, a), 1, 255, 3, inA);
        check("_ibv_query_gid_ex", 7, () -> DeviceCalls.queryGidEx(1, 2, 3, a, 4), 1, 2, 3, inA, 4,
                ibv_gid_entry.layout().byteSize());
        check("_ibv_query_gid_table", 7L, () -> DeviceCalls.queryGidTable(1, a, 2, 3), 1, inA, 2, 3,
                ibv_gid_entry.layout().byteSize());
        check("ibv_query_pkey", 7, () -> DeviceCalls.queryPkey(1, 2, 3, a), 1, 2, 3, inA);
        check("ibv_get_pkey_index", 7, () -> DeviceCalls.getPkeyIndex(1, 2, (short) 0xffff), 1, 2, 0xffff);
        check("ibv_fork_init", 7, DeviceCalls::forkInit);
        check("ibv_rate_to_mbps", 7, () -> DeviceCalls.rateToMbps(2), 2);
        check("ibv_rate_to_mult", 7, () -> DeviceCalls.rateToMult(2), 2);
        a.setString(0, "a text");
        setResult(inA, 0);
        check("ibv_get_device_name", "a text", () -> DeviceCalls.getDeviceName(1), 1);
        check("ibv_node_type_str", "a text", () -> DeviceCalls.nodeTypeStr(1), 1);
        check("ibv_port_state_str", "a text", () -> DeviceCalls.portStateStr(1), 1);
        check("ibv_event_type_str", "a text", () -> DeviceCalls.eventTypeStr(1), 1);
        check("ibv_wc_status_str", "a text", () -> CompletionCalls.wcStatusStr(1), 1);
    }

    private void memoryVerbs() {
        setResult(7, 9);
        check("ibv_alloc_pd", 7L, () -> DomainCalls.allocPd(1), 1);
        check("ibv_dealloc_pd", 7, () -> DomainCalls.deallocPd(1), 1);
        check("ibv_import_pd", 7L, () -> DomainCalls.importPd(1, 2), 1, 2);
        check("ibv_unimport_pd", null, () -> nothing(() -> DomainCalls.unimportPd(1)), 1);
        check("ibv_reg_mr", 7L, () -> MemoryCalls.regMr(1, 2, 3, ON_DEMAND), 1, 2, 3, ON_DEMAND);
        check("ibv_reg_mr_iova", 7L, () -> MemoryCalls.regMrIova(1, 2, 3, -4, ON_DEMAND), 1, 2, 3, -4, ON_DEMAND);
        // With optional access bits, both call another function.
        check("ibv_reg_mr_iova2", 7L, () -> MemoryCalls.regMr(1, 2, 3, RELAXED_ORDERING), 1, 2, 3, 2,
                RELAXED_ORDERING);
        check("ibv_reg_mr_iova2", 7L, () -> MemoryCalls.regMrIova(1, 2, 3, -4, RELAXED_ORDERING), 1, 2, 3, -4,
                RELAXED_ORDERING);
        check("ibv_reg_mr_iova2", 7L, () -> MemoryCalls.regMrIova2(1, 2, 3, -4, 1), 1, 2, 3, -4, 1);
        check("ibv_reg_dmabuf_mr", 7L, () -> MemoryCalls.regDmabufMr(1, 2, 3, 4, 5, 6), 1, 2, 3, 4, 5, 6);
        check("ibv_rereg_mr", new MemoryCalls.Reregistration(7, 9), () -> MemoryCalls.reregMr(1, 2, 3, 4, 5, 6), 1, 2,
                3, 4, 5, 6);
        check("ibv_dereg_mr", 7, () -> MemoryCalls.deregMr(1), 1);
        check("ibv_import_mr", 7L, () -> MemoryCalls.importMr(1, 2), 1, 2);
        check("ibv_unimport_mr", null, () -> nothing(() -> MemoryCalls.unimportMr(1)), 1);
        check("ibv_create_ah", 7L, () -> AddressCalls.createAh(1, a), 1, inA);
        check("ibv_init_ah_from_wc", 7, () -> AddressCalls.initAhFromWc(1, 2, a, b, c), 1, 2, inA, inB, inC);
        check("ibv_create_ah_from_wc", 7L, () -> AddressCalls.createAhFromWc(1, a, b, 2), 1, inA, inB, 2);
        check("ibv_destroy_ah", 7, () -> AddressCalls.destroyAh(1), 1);
        check("ibv_resolve_eth_l2_from_gid", 7, () -> AddressCalls.resolveEthL2FromGid(1, a, b, c), 1, inA, inB, inC);
    }

    private void queueVerbs() {
        setResult(7, 0);
        check("ibv_create_comp_channel", 7L, () -> CompletionCalls.createCompChannel(1), 1);
        check("ibv_destroy_comp_channel", 7, () -> CompletionCalls.destroyCompChannel(1), 1);
        check("ibv_create_cq", 7L, () -> CompletionCalls.createCq(1, 2, 3, 4, 5), 1, 2, 3, 4, 5);
        check("ibv_resize_cq", 7, () -> CompletionCalls.resizeCq(1, 2), 1, 2);
        check("ibv_destroy_cq", 7, () -> CompletionCalls.destroyCq(1), 1);
        check("ibv_get_cq_event", 7, () -> CompletionCalls.getCqEvent(1, a, b), 1, inA, inB);
        check("ibv_ack_cq_events", null, () -> nothing(() -> CompletionCalls.ackCqEvents(1, 2)), 1, 2);
        check("ibv_create_srq", 7L, () -> SharedReceiveCalls.createSrq(1, a), 1, inA);
        check("ibv_modify_srq", 7, () -> SharedReceiveCalls.modifySrq(1, a, 2), 1, inA, 2);
        check("ibv_query_srq", 7, () -> SharedReceiveCalls.querySrq(1, a), 1, inA);
        check("ibv_destroy_srq", 7, () -> SharedReceiveCalls.destroySrq(1), 1);
        check("ibv_create_qp", 7L, () -> QueuePairCalls.createQp(1, a), 1, inA);
        check("ibv_modify_qp", 7, () -> QueuePairCalls.modifyQp(1, a, 2), 1, inA, 2);
        check("ibv_query_qp", 7, () -> QueuePairCalls.queryQp(1, a, 2, b), 1, inA, 2, inB);
        check("ibv_query_qp_data_in_order", false, () -> QueuePairCalls.queryQpDataInOrder(1, 2, 3), 1, 2, 3);
        check("ibv_destroy_qp", 7, () -> QueuePairCalls.destroyQp(1), 1);
        check("ibv_qp_to_qp_ex", 7L, () -> QueuePairCalls.qpToQpEx(1), 1);
        check("ibv_set_ece", 7, () -> QueuePairCalls.setEce(1, a), 1, inA);
        check("ibv_query_ece", 7, () -> QueuePairCalls.queryEce(1, a), 1, inA);
        check("ibv_attach_mcast", 7, () -> QueuePairCalls.attachMcast(1, a, 0xc001), 1, inA, 0xc001);
        check("ibv_detach_mcast", 7, () -> QueuePairCalls.detachMcast(1, a, 0xc001), 1, inA, 0xc001);
    }

    /** The context has no extended verbs, so each extended verb falls back to an exported function. */
    private void extendedVerbs() {
        setResult(7, 0);
        var fake = new FakeContext(Arena.global());
        long context = fake.address();
        check("ibv_query_port", 7, () -> DeviceCalls.queryPort(context, 255, a), context, 255, inA);
        check("ibv_query_device", 7, () -> DeviceCalls.queryDeviceEx(context, MemorySegment.NULL, a), context,
                ibv_device_attr_ex.orig_attr(a).address());
        a.fill((byte) 0);
        ibv_qp_init_attr_ex.comp_mask(a, IbvConstants.IBV_QP_INIT_ATTR_PD());
        ibv_qp_init_attr_ex.pd(a, MemorySegment.ofAddress(5));
        check("ibv_create_qp", 7L, () -> QueuePairCalls.createQpEx(context, a), 5, inA);
        a.fill((byte) 0);
        ibv_srq_init_attr_ex.comp_mask(a, IbvConstants.IBV_SRQ_INIT_ATTR_PD());
        ibv_srq_init_attr_ex.pd(a, MemorySegment.ofAddress(5));
        check("ibv_create_srq", 7L, () -> SharedReceiveCalls.createSrqEx(context, a), 5, inA);
    }

    private void failures() {
        setResult(-1, 16);
        check("ibv_close_device", 16, () -> DeviceCalls.closeDevice(1), 1);
        check("ibv_query_gid", 16, () -> DeviceCalls.queryGid(1, 2, 3, a), 1, 2, 3, inA);
        check("ibv_get_pkey_index", -16, () -> DeviceCalls.getPkeyIndex(1, 2, (short) 3), 1, 2, 3);
        setResult(-12, 0);
        check("ibv_modify_qp", 12, () -> QueuePairCalls.modifyQp(1, a, 2), 1, inA, 2);
        setResult(-4, 14);
        check("ibv_rereg_mr", new MemoryCalls.Reregistration(-4, 14), () -> MemoryCalls.reregMr(1, 2, 3, 4, 5, 6), 1,
                2, 3, 4, 5, 6);
        setResult(0, 12);
        check("ibv_reg_mr", -12L, () -> MemoryCalls.regMr(1, 2, 3, 1), 1, 2, 3, 1);
        check("ibv_rereg_mr", new MemoryCalls.Reregistration(0, 0), () -> MemoryCalls.reregMr(1, 2, 3, 4, 5, 6), 1, 2,
                3, 4, 5, 6);
        check("ibv_get_device_name", "", () -> DeviceCalls.getDeviceName(1), 1);
        // A null pointer without an errno is reported as EIO.
        setResult(0, 0);
        check("ibv_create_qp", -5L, () -> QueuePairCalls.createQp(1, a), 1, inA);
        setResult(1, 0);
        check("ibv_query_qp_data_in_order", true, () -> QueuePairCalls.queryQpDataInOrder(1, 2, 3), 1, 2, 3);
    }

    private void functionsMissingInAnOldLibrary() {
        equal("ibv_get_device_index", -1, DeviceCalls.getDeviceIndex(1));
        equal("ibv_import_device", -95L, DeviceCalls.importDevice(1));
        equal("_ibv_query_gid_ex", 95, DeviceCalls.queryGidEx(1, 2, 3, a, 4));
        equal("_ibv_query_gid_table", -95L, DeviceCalls.queryGidTable(1, a, 2, 3));
        equal("ibv_get_pkey_index", -95, DeviceCalls.getPkeyIndex(1, 2, (short) 3));
        equal("ibv_reg_mr_iova2", -95L, MemoryCalls.regMr(1, 2, 3, RELAXED_ORDERING));
        equal("ibv_query_qp_data_in_order", false, QueuePairCalls.queryQpDataInOrder(1, 2, 3));
        equal("ibv_set_ece", 95, QueuePairCalls.setEce(1, a));
        DomainCalls.unimportPd(1);
    }
}
