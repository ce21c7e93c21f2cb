package io.jverbs.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jverbs.ffm.RecordingStruct.Called;
import io.jverbs.ffm.ibverbs.ibv_cq_ex;
import io.jverbs.ffm.ibverbs.ibv_qp_ex;
import java.lang.foreign.Arena;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that {@code ibv_wr_*} and {@code ibv_wc_read_*} call the function of the same name in the struct. */
class ExtendedQueuesTest {

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment struct = arena.allocate(1024, 8);
    private final long address = struct.address();

    @AfterEach
    void free() {
        arena.close();
    }

    private static void assertCalls(RecordingStruct struct, Called expected, Runnable call) {
        call.run();
        assertEquals(List.of(expected), struct.calls());
    }

    @Test
    void everySendCallInvokesItsFunction() {
        var functions = new RecordingStruct(ibv_qp_ex.class, struct, arena).withAllMembers();
        var queue = new ExtendedSendQueue(address);
        long far = 0xffff_ffff_ffff_f000L;
        assertCalls(functions, Called.with("wr_start", address), queue::start);
        assertCalls(functions, Called.with("wr_abort", address), queue::abort);
        assertCalls(functions, Called.with("wr_send", address), queue::send);
        assertCalls(functions, Called.with("wr_send_imm", address, 1), () -> queue.sendImm(1));
        assertCalls(functions, Called.with("wr_send_inv", address, 2), () -> queue.sendInv(2));
        assertCalls(functions, Called.with("wr_send_tso", address, 3, 4, 5),
                () -> queue.sendTso(3, (short) 4, (short) 5));
        assertCalls(functions, Called.with("wr_rdma_read", address, 6, far), () -> queue.rdmaRead(6, far));
        assertCalls(functions, Called.with("wr_rdma_write", address, 7, far), () -> queue.rdmaWrite(7, far));
        assertCalls(functions, Called.with("wr_rdma_write_imm", address, 8, far, 9),
                () -> queue.rdmaWriteImm(8, far, 9));
        assertCalls(functions, Called.with("wr_atomic_cmp_swp", address, 10, far, 11, 12),
                () -> queue.atomicCmpSwp(10, far, 11, 12));
        assertCalls(functions, Called.with("wr_atomic_fetch_add", address, 13, far, 14),
                () -> queue.atomicFetchAdd(13, far, 14));
        assertCalls(functions, Called.with("wr_atomic_write", address, 15, far, 16),
                () -> queue.atomicWrite(15, far, 16));
        assertCalls(functions, Called.with("wr_bind_mw", address, 17, 18, 19), () -> queue.bindMw(17, 18, 19));
        assertCalls(functions, Called.with("wr_local_inv", address, 20), () -> queue.localInv(20));
        assertCalls(functions, Called.with("wr_set_ud_addr", address, 21, 22, 23), () -> queue.setUdAddr(21, 22, 23));
        assertCalls(functions, Called.with("wr_set_xrc_srqn", address, 24), () -> queue.setXrcSrqn(24));
        assertCalls(functions, Called.with("wr_set_inline_data", address, far, 25),
                () -> queue.setInlineData(far, 25));
        assertCalls(functions, Called.with("wr_set_inline_data_list", address, 26, 27),
                () -> queue.setInlineDataList(26, 27));
        assertCalls(functions, Called.with("wr_set_sge", address, 28, far, 29), () -> queue.setSge(28, far, 29));
        assertCalls(functions, Called.with("wr_set_sge_list", address, 30, 31), () -> queue.setSgeList(30, 31));
        functions.returns("wr_complete", 12);
        assertEquals(12, queue.complete());
        assertEquals(List.of(Called.with("wr_complete", address)), functions.calls());
    }

    @Test
    void identifierAndFlagsAreWrittenIntoTheQueuePair() {
        var queue = new ExtendedSendQueue(address);
        queue.wrId(0x1122_3344_5566_7788L);
        queue.wrFlags(2);
        assertEquals(0x1122_3344_5566_7788L, struct.get(ValueLayout.JAVA_LONG, offset(ibv_qp_ex.layout(), "wr_id")));
        assertEquals(2, struct.get(ValueLayout.JAVA_INT, offset(ibv_qp_ex.layout(), "wr_flags")));
    }

    @Test
    void aRequestWithoutAFunctionIsRefused() {
        var queue = new ExtendedSendQueue(address);
        assertThrows(IllegalArgumentException.class, queue::send);
    }

    @Test
    void everyReadCallInvokesItsFunction() {
        var functions = new RecordingStruct(ibv_cq_ex.class, struct, arena).withAllMembers();
        var queue = new ExtendedCompletionQueue(address);
        assertReads(functions, "read_opcode", 128, queue::readOpcode);
        assertReads(functions, "read_vendor_err", 1, queue::readVendorErr);
        assertReads(functions, "read_byte_len", -1, queue::readByteLen);
        assertReads(functions, "read_imm_data", 3, queue::readImmData);
        assertReads(functions, "read_qp_num", 4, queue::readQpNum);
        assertReads(functions, "read_src_qp", 5, queue::readSrcQp);
        assertReads(functions, "read_wc_flags", 6, queue::readWcFlags);
        assertReads(functions, "read_slid", 7, queue::readSlid);
        assertReads(functions, "read_sl", 8, queue::readSl);
        assertReads(functions, "read_dlid_path_bits", 9, queue::readDlidPathBits);
        assertReads(functions, "read_completion_ts", 1L << 40, queue::readCompletionTs);
        assertReads(functions, "read_completion_wallclock_ns", 1L << 41, queue::readCompletionWallclockNs);
        assertReads(functions, "read_cvlan", 12, queue::readCvlan);
        assertReads(functions, "read_flow_tag", 13, queue::readFlowTag);
        assertReads(functions, "next_poll", 2, queue::nextPoll);
        assertCalls(functions, Called.with("start_poll", address, 55), () -> queue.startPoll(55));
        assertCalls(functions, Called.with("end_poll", address), queue::endPoll);
    }

    private void assertReads(RecordingStruct functions, String member, long value, LongSupplier read) {
        functions.returns(member, value);
        assertEquals(value, read.getAsLong());
        assertEquals(List.of(Called.with(member, address)), functions.calls());
    }

    @Test
    void statusAndIdentifierAreReadFromTheQueue() {
        struct.set(ValueLayout.JAVA_INT, offset(ibv_cq_ex.layout(), "status"), 5);
        struct.set(ValueLayout.JAVA_LONG, offset(ibv_cq_ex.layout(), "wr_id"), -9);
        var queue = new ExtendedCompletionQueue(address);
        assertEquals(5, queue.status());
        assertEquals(-9, queue.wrId());
    }

    @Test
    void aFieldWithoutAFunctionIsRefused() {
        var queue = new ExtendedCompletionQueue(address);
        assertThrows(IllegalArgumentException.class, queue::readCvlan);
    }

    private static long offset(GroupLayout struct, String field) {
        return Abi.CURRENT.offset(struct, field);
    }
}
