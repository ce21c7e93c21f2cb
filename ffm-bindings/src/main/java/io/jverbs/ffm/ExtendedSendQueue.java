package io.jverbs.ffm;

import static io.jverbs.ffm.call.Descriptors.HANDLE;
import static io.jverbs.ffm.call.Descriptors.INT;
import static io.jverbs.ffm.call.Descriptors.LONG;
import static io.jverbs.ffm.call.Descriptors.U16;
import static io.jverbs.ffm.call.Descriptors.procedure;
import static io.jverbs.ffm.call.Descriptors.returning;

import io.jverbs.ffm.call.Downcall;
import io.jverbs.ffm.ibverbs.ibv_qp_ex;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The send queue of a queue pair, with the posting functions of ibv_wr_post(3), which are {@code static inline} in C.
 * {@link #start} begins a batch, further calls add requests, {@link #complete} or {@link #abort} ends the batch. One
 * thread makes all calls of a batch. No call allocates.
 *
 * <p>
 * A request that {@code send_ops_flags} of {@code ibv_create_qp_ex} did not name throws {@link
 * IllegalArgumentException} if the driver has no function for it; otherwise {@link #complete} returns the error.
 */
public final class ExtendedSendQueue {

    private static final MethodHandle QP = procedureOf(HANDLE);
    private static final MethodHandle QP_INT = procedureOf(HANDLE, INT);
    private static final MethodHandle QP_HANDLE_U16_U16 = procedureOf(HANDLE, HANDLE, U16, U16);
    private static final MethodHandle QP_INT_LONG = procedureOf(HANDLE, INT, LONG);
    private static final MethodHandle QP_INT_LONG_INT = procedureOf(HANDLE, INT, LONG, INT);
    private static final MethodHandle QP_INT_LONG_LONG_LONG = procedureOf(HANDLE, INT, LONG, LONG, LONG);
    private static final MethodHandle QP_INT_LONG_LONG = procedureOf(HANDLE, INT, LONG, LONG);
    private static final MethodHandle QP_INT_LONG_HANDLE = procedureOf(HANDLE, INT, LONG, HANDLE);
    private static final MethodHandle QP_HANDLE_INT_HANDLE = procedureOf(HANDLE, HANDLE, INT, HANDLE);
    private static final MethodHandle QP_HANDLE_INT_INT = procedureOf(HANDLE, HANDLE, INT, INT);
    private static final MethodHandle QP_HANDLE_LONG = procedureOf(HANDLE, HANDLE, LONG);
    private static final MethodHandle QP_LONG_HANDLE = procedureOf(HANDLE, LONG, HANDLE);
    private static final MethodHandle COMPLETE = Linker.nativeLinker().downcallHandle(returning(INT, HANDLE));

    private static final long WR_ID = offset("wr_id");
    private static final long WR_FLAGS = offset("wr_flags");

    private final long qp;
    private final MemorySegment start;
    private final MemorySegment abort;
    private final MemorySegment send;
    private final MemorySegment sendImm;
    private final MemorySegment sendInv;
    private final MemorySegment sendTso;
    private final MemorySegment rdmaRead;
    private final MemorySegment rdmaWrite;
    private final MemorySegment rdmaWriteImm;
    private final MemorySegment atomicCmpSwp;
    private final MemorySegment atomicFetchAdd;
    private final MemorySegment atomicWrite;
    private final MemorySegment bindMw;
    private final MemorySegment localInv;
    private final MemorySegment setUdAddr;
    private final MemorySegment setXrcSrqn;
    private final MemorySegment setInlineData;
    private final MemorySegment setInlineDataList;
    private final MemorySegment setSge;
    private final MemorySegment setSgeList;
    private final MemorySegment complete;

    /**
     * Reads the function table of a queue pair.
     *
     * @param qp the {@code struct ibv_qp_ex}, from {@link QueuePairCalls#qpToQpEx}
     */
    public ExtendedSendQueue(long qp) {
        this.qp = qp;
        start = function("wr_start");
        abort = function("wr_abort");
        send = function("wr_send");
        sendImm = function("wr_send_imm");
        sendInv = function("wr_send_inv");
        sendTso = function("wr_send_tso");
        rdmaRead = function("wr_rdma_read");
        rdmaWrite = function("wr_rdma_write");
        rdmaWriteImm = function("wr_rdma_write_imm");
        atomicCmpSwp = function("wr_atomic_cmp_swp");
        atomicFetchAdd = function("wr_atomic_fetch_add");
        atomicWrite = function("wr_atomic_write");
        bindMw = function("wr_bind_mw");
        localInv = function("wr_local_inv");
        setUdAddr = function("wr_set_ud_addr");
        setXrcSrqn = function("wr_set_xrc_srqn");
        setInlineData = function("wr_set_inline_data");
        setInlineDataList = function("wr_set_inline_data_list");
        setSge = function("wr_set_sge");
        setSgeList = function("wr_set_sge_list");
        complete = function("wr_complete");
    }

    private static MethodHandle procedureOf(MemoryLayout... parameters) {
        return Linker.nativeLinker().downcallHandle(procedure(parameters));
    }

    private static long offset(String field) {
        return Abi.CURRENT.offset(ibv_qp_ex.layout(), field);
    }

    private MemorySegment function(String member) {
        return MemorySegment.ofAddress(NativeMemory.getLong(qp + offset(member)));
    }

    /**
     * Sets the {@code wr_id} of the requests that are added from now on.
     *
     * @param wrId the value, returned in the completion
     */
    public void wrId(long wrId) {
        NativeMemory.putLong(qp + WR_ID, wrId);
    }

    /**
     * Sets the flags of the requests that are added from now on.
     *
     * @param flags bits of {@code enum ibv_send_flags}
     */
    public void wrFlags(int flags) {
        NativeMemory.putInt(qp + WR_FLAGS, flags);
    }

    /**
     * Begins a batch of requests: {@code ibv_wr_start}.
     */
    public void start() {
        try {
            QP.invokeExact(start, qp);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * Discards the requests that were added since {@link #start}: {@code ibv_wr_abort}.
     */
    public void abort() {
        try {
            QP.invokeExact(abort, qp);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * Adds a SEND: {@code ibv_wr_send}.
     */
    public void send() {
        try {
            QP.invokeExact(send, qp);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * Adds a SEND with immediate data: {@code ibv_wr_send_imm}.
     *
     * @param imm the immediate data in network byte order
     */
    public void sendImm(int imm) {
        try {
            QP_INT.invokeExact(sendImm, qp, imm);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * Adds a SEND with invalidate: {@code ibv_wr_send_inv}.
     *
     * @param rkey the remote key to invalidate
     */
    public void sendInv(int rkey) {
        try {
            QP_INT.invokeExact(sendInv, qp, rkey);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * Adds a SEND with TCP segmentation offload: {@code ibv_wr_send_tso}.
     *
     * @param header the address of the header
     * @param headerBytes the length of the header in bytes
     * @param mss the maximum segment size in bytes
     */
    public void sendTso(long header, short headerBytes, short mss) {
        try {
            QP_HANDLE_U16_U16.invokeExact(sendTso, qp, header, headerBytes, mss);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * Adds an RDMA READ: {@code ibv_wr_rdma_read}.
     *
     * @param rkey the remote key
     * @param remoteAddress the remote address
     */
    public void rdmaRead(int rkey, long remoteAddress) {
        try {
            QP_INT_LONG.invokeExact(rdmaRead, qp, rkey, remoteAddress);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * Adds an RDMA WRITE: {@code ibv_wr_rdma_write}.
     *
     * @param rkey the remote key
     * @param remoteAddress the remote address
     */
    public void rdmaWrite(int rkey, long remoteAddress) {
        try {
            QP_INT_LONG.invokeExact(rdmaWrite, qp, rkey, remoteAddress);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * Adds an RDMA WRITE with immediate data: {@code ibv_wr_rdma_write_imm}.
     *
     * @param rkey the remote key
     * @param remoteAddress the remote address
     * @param imm the immediate data in network byte order
     */
    public void rdmaWriteImm(int rkey, long remoteAddress, int imm) {
        try {
            QP_INT_LONG_INT.invokeExact(rdmaWriteImm, qp, rkey, remoteAddress, imm);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * Adds a compare-and-swap: {@code ibv_wr_atomic_cmp_swp}.
     *
     * @param rkey the remote key
     * @param remoteAddress the remote address
     * @param compare the value that the memory must hold for the swap
     * @param swap the value to write
     */
    public void atomicCmpSwp(int rkey, long remoteAddress, long compare, long swap) {
        try {
            QP_INT_LONG_LONG_LONG.invokeExact(atomicCmpSwp, qp, rkey, remoteAddress, compare, swap);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * Adds a fetch-and-add: {@code ibv_wr_atomic_fetch_add}.
     *
     * @param rkey the remote key
     * @param remoteAddress the remote address
     * @param add the number to add
     */
    public void atomicFetchAdd(int rkey, long remoteAddress, long add) {
        try {
            QP_INT_LONG_LONG.invokeExact(atomicFetchAdd, qp, rkey, remoteAddress, add);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * Adds an atomic write: {@code ibv_wr_atomic_write}.
     *
     * @param rkey the remote key
     * @param remoteAddress the remote address
     * @param value the address of the 8 bytes to write
     */
    public void atomicWrite(int rkey, long remoteAddress, long value) {
        try {
            QP_INT_LONG_HANDLE.invokeExact(atomicWrite, qp, rkey, remoteAddress, value);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * Adds a bind of a memory window: {@code ibv_wr_bind_mw}.
     *
     * @param mw the {@code struct ibv_mw}, of type 2
     * @param rkey the new remote key of the window
     * @param bindInfo the address of a {@code struct ibv_mw_bind_info}
     */
    public void bindMw(long mw, int rkey, long bindInfo) {
        try {
            QP_HANDLE_INT_HANDLE.invokeExact(bindMw, qp, mw, rkey, bindInfo);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * Adds a local invalidate: {@code ibv_wr_local_inv}.
     *
     * @param rkey the remote key to invalidate
     */
    public void localInv(int rkey) {
        try {
            QP_INT.invokeExact(localInv, qp, rkey);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * Sets the destination of the last request of a UD queue pair: {@code ibv_wr_set_ud_addr}.
     *
     * @param ah the {@code struct ibv_ah}
     * @param remoteQpn the number of the destination queue pair
     * @param remoteQkey the Q_Key of the destination queue pair
     */
    public void setUdAddr(long ah, int remoteQpn, int remoteQkey) {
        try {
            QP_HANDLE_INT_INT.invokeExact(setUdAddr, qp, ah, remoteQpn, remoteQkey);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * Sets the destination of the last request of an XRC queue pair: {@code ibv_wr_set_xrc_srqn}.
     *
     * @param remoteSrqn the number of the destination shared receive queue
     */
    public void setXrcSrqn(int remoteSrqn) {
        try {
            QP_INT.invokeExact(setXrcSrqn, qp, remoteSrqn);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * Sets the inline data of the last request, which the call copies: {@code ibv_wr_set_inline_data}.
     *
     * @param address the address of the first byte
     * @param length the number of bytes
     */
    public void setInlineData(long address, long length) {
        try {
            QP_HANDLE_LONG.invokeExact(setInlineData, qp, address, length);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * Sets the inline data of the last request, which the call copies: {@code ibv_wr_set_inline_data_list}.
     *
     * @param count the number of buffers
     * @param buffers the address of an array of {@code struct ibv_data_buf}
     */
    public void setInlineDataList(long count, long buffers) {
        try {
            QP_LONG_HANDLE.invokeExact(setInlineDataList, qp, count, buffers);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * Sets the scatter/gather element of the last request: {@code ibv_wr_set_sge}.
     *
     * @param lkey the local key
     * @param address the address of the first byte
     * @param length the number of bytes
     */
    public void setSge(int lkey, long address, int length) {
        try {
            QP_INT_LONG_INT.invokeExact(setSge, qp, lkey, address, length);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * Sets the scatter/gather list of the last request: {@code ibv_wr_set_sge_list}.
     *
     * @param count the number of elements
     * @param sges the address of an array of {@code struct ibv_sge}
     */
    public void setSgeList(long count, long sges) {
        try {
            QP_LONG_HANDLE.invokeExact(setSgeList, qp, count, sges);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * Posts the requests that were added since {@link #start}: {@code ibv_wr_complete}.
     *
     * @return 0, or the errno; then none of the requests is posted
     */
    public int complete() {
        try {
            return (int) COMPLETE.invokeExact(complete, qp);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }
}
