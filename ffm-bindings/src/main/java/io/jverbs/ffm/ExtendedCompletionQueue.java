package io.jverbs.ffm;

import static io.jverbs.ffm.call.Descriptors.HANDLE;
import static io.jverbs.ffm.call.Descriptors.INT;
import static io.jverbs.ffm.call.Descriptors.LONG;
import static io.jverbs.ffm.call.Descriptors.U16;
import static io.jverbs.ffm.call.Descriptors.U8;
import static io.jverbs.ffm.call.Descriptors.procedure;
import static io.jverbs.ffm.call.Descriptors.returning;

import io.jverbs.ffm.call.Downcall;
import io.jverbs.ffm.ibverbs.ibv_cq_ex;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * An extended completion queue, polled one completion at a time with the functions of ibv_create_cq_ex(3), which are
 * {@code static inline} in C. One thread reads the current completion, from a {@link #startPoll} that returned 0 to
 * {@link #endPoll}. No call allocates.
 *
 * <p>
 * A field that {@code wc_flags} of {@code ibv_create_cq_ex} did not name throws {@link IllegalArgumentException} if the
 * driver has no function for it.
 */
public final class ExtendedCompletionQueue {

    private static final MethodHandle START = Linker.nativeLinker().downcallHandle(returning(INT, HANDLE, HANDLE));
    private static final MethodHandle END = Linker.nativeLinker().downcallHandle(procedure(HANDLE));
    private static final MethodHandle READ_INT = Linker.nativeLinker().downcallHandle(returning(INT, HANDLE));
    private static final MethodHandle READ_U8 = Linker.nativeLinker().downcallHandle(returning(U8, HANDLE));
    private static final MethodHandle READ_U16 = Linker.nativeLinker().downcallHandle(returning(U16, HANDLE));
    private static final MethodHandle READ_LONG = Linker.nativeLinker().downcallHandle(returning(LONG, HANDLE));

    private static final long STATUS = offset("status");
    private static final long WR_ID = offset("wr_id");

    private final long cq;
    private final MemorySegment startPoll;
    private final MemorySegment nextPoll;
    private final MemorySegment endPoll;
    private final MemorySegment readOpcode;
    private final MemorySegment readVendorErr;
    private final MemorySegment readByteLen;
    private final MemorySegment readImmData;
    private final MemorySegment readQpNum;
    private final MemorySegment readSrcQp;
    private final MemorySegment readWcFlags;
    private final MemorySegment readSlid;
    private final MemorySegment readSl;
    private final MemorySegment readDlidPathBits;
    private final MemorySegment readCompletionTs;
    private final MemorySegment readCompletionWallclockNs;
    private final MemorySegment readCvlan;
    private final MemorySegment readFlowTag;

    /**
     * Reads the function table of a completion queue.
     *
     * @param cq the {@code struct ibv_cq_ex}, from {@link CompletionCalls#createCqEx}
     */
    public ExtendedCompletionQueue(long cq) {
        this.cq = cq;
        startPoll = function("start_poll");
        nextPoll = function("next_poll");
        endPoll = function("end_poll");
        readOpcode = function("read_opcode");
        readVendorErr = function("read_vendor_err");
        readByteLen = function("read_byte_len");
        readImmData = function("read_imm_data");
        readQpNum = function("read_qp_num");
        readSrcQp = function("read_src_qp");
        readWcFlags = function("read_wc_flags");
        readSlid = function("read_slid");
        readSl = function("read_sl");
        readDlidPathBits = function("read_dlid_path_bits");
        readCompletionTs = function("read_completion_ts");
        readCompletionWallclockNs = function("read_completion_wallclock_ns");
        readCvlan = function("read_cvlan");
        readFlowTag = function("read_flow_tag");
    }

    private static long offset(String field) {
        return Abi.CURRENT.offset(ibv_cq_ex.layout(), field);
    }

    private MemorySegment function(String member) {
        return MemorySegment.ofAddress(NativeMemory.getLong(cq + offset(member)));
    }

    /**
     * Begins to read completions: {@code ibv_start_poll}.
     *
     * @param attr the address of a {@code struct ibv_poll_cq_attr}
     * @return 0 if there is a completion, otherwise the errno: {@code ENOENT} (2) if the queue is empty; {@link
     *         #endPoll} must then not be called
     */
    public int startPoll(long attr) {
        try {
            return (int) START.invokeExact(startPoll, cq, attr);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * Moves to the next completion: {@code ibv_next_poll}.
     *
     * @return 0, or the errno: {@code ENOENT} (2) if there is no further completion
     */
    public int nextPoll() {
        try {
            return (int) READ_INT.invokeExact(nextPoll, cq);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /** Ends reading: {@code ibv_end_poll}. */
    public void endPoll() {
        try {
            END.invokeExact(endPoll, cq);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /** {@return the {@code enum ibv_wc_status} of the current completion} */
    public int status() {
        return NativeMemory.getInt(cq + STATUS);
    }

    /** {@return the {@code wr_id} of the current completion} */
    public long wrId() {
        return NativeMemory.getLong(cq + WR_ID);
    }

    /** {@return the {@code enum ibv_wc_opcode}} */
    public int readOpcode() {
        try {
            return (int) READ_INT.invokeExact(readOpcode, cq);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /** {@return the error code of the vendor} */
    public int readVendorErr() {
        try {
            return (int) READ_INT.invokeExact(readVendorErr, cq);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /** {@return the number of bytes transferred} */
    public int readByteLen() {
        try {
            return (int) READ_INT.invokeExact(readByteLen, cq);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /** {@return the immediate data in network byte order} */
    public int readImmData() {
        try {
            return (int) READ_INT.invokeExact(readImmData, cq);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /** {@return the number of the local queue pair} */
    public int readQpNum() {
        try {
            return (int) READ_INT.invokeExact(readQpNum, cq);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /** {@return the number of the sending queue pair} */
    public int readSrcQp() {
        try {
            return (int) READ_INT.invokeExact(readSrcQp, cq);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /** {@return bits of {@code enum ibv_wc_flags}} */
    public int readWcFlags() {
        try {
            return (int) READ_INT.invokeExact(readWcFlags, cq);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /** {@return the LID of the sender} */
    public int readSlid() {
        try {
            return (int) READ_INT.invokeExact(readSlid, cq);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /** {@return the service level} */
    public byte readSl() {
        try {
            return (byte) READ_U8.invokeExact(readSl, cq);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /** {@return the path bits of the destination LID} */
    public byte readDlidPathBits() {
        try {
            return (byte) READ_U8.invokeExact(readDlidPathBits, cq);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /** {@return the time of completion in ticks of the device's clock} */
    public long readCompletionTs() {
        try {
            return (long) READ_LONG.invokeExact(readCompletionTs, cq);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /** {@return the time of completion in nanoseconds since 1970} */
    public long readCompletionWallclockNs() {
        try {
            return (long) READ_LONG.invokeExact(readCompletionWallclockNs, cq);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /** {@return the VLAN tag} */
    public short readCvlan() {
        try {
            return (short) READ_U16.invokeExact(readCvlan, cq);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /** {@return the flow tag} */
    public int readFlowTag() {
        try {
            return (int) READ_INT.invokeExact(readFlowTag, cq);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }
}
