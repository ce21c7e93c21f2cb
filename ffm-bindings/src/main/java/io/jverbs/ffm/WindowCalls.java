package io.jverbs.ffm;

import static io.jverbs.ffm.call.Descriptors.BUFFER;
import static io.jverbs.ffm.call.Descriptors.HANDLE;
import static io.jverbs.ffm.call.Descriptors.INT;
import static io.jverbs.ffm.call.Descriptors.returning;

import io.jverbs.ffm.call.Downcall;
import io.jverbs.ffm.call.Errno;
import io.jverbs.ffm.ibverbs.IbvConstants;
import io.jverbs.ffm.ibverbs.ibv_context;
import io.jverbs.ffm.ibverbs.ibv_context_ops;
import io.jverbs.ffm.ibverbs.ibv_mr;
import io.jverbs.ffm.ibverbs.ibv_mw;
import io.jverbs.ffm.ibverbs.ibv_mw_bind;
import io.jverbs.ffm.ibverbs.ibv_mw_bind_info;
import java.lang.foreign.MemorySegment;

/**
 * The verbs of memory windows, which are {@code static inline} in C. Each method behaves as the man page of the verb of
 * the same name says.
 */
public final class WindowCalls {

    private static final Downcall ALLOC = Downcall.throughPointer(returning(HANDLE, HANDLE, INT));
    private static final Downcall DEALLOC = Downcall.throughPointer(returning(INT, HANDLE));
    private static final Downcall BIND = Downcall.throughPointer(returning(INT, HANDLE, HANDLE, BUFFER));

    private WindowCalls() {}

    /**
     * {@code ibv_alloc_mw}.
     *
     * @param pd a {@code struct ibv_pd}
     * @param type a value of {@code enum ibv_mw_type}
     * @return the {@code struct ibv_mw}, or -errno
     */
    public static long allocMw(long pd, int type) {
        var function = op(Fields.context(pd), ibv_context_ops.alloc_mw$offset());
        if (function.address() == 0) {
            return -Errno.EOPNOTSUPP;
        }
        var errno = Errno.segment();
        try {
            return Errno.pointer((long) ALLOC.handle().invokeExact(function, errno, pd, type), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * {@code ibv_dealloc_mw}.
     *
     * @param mw a {@code struct ibv_mw}
     * @return 0 or the errno
     */
    public static int deallocMw(long mw) {
        var function = op(Fields.context(mw), ibv_context_ops.dealloc_mw$offset());
        var errno = Errno.segment();
        try {
            return Errno.status((int) DEALLOC.handle().invokeExact(function, errno, mw), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * {@code ibv_bind_mw}, for windows of type 1; a send request binds a window of type 2.
     *
     * @param qp a {@code struct ibv_qp}
     * @param mw a {@code struct ibv_mw}
     * @param bind a {@code struct ibv_mw_bind}
     * @return 0 or the errno: {@code EINVAL} (22) for a window of type 2, or for a range without a region; {@code
     *         EPERM} (1) if window and region belong to different protection domains
     */
    public static int bindMw(long qp, long mw, MemorySegment bind) {
        if (NativeMemory.getInt(mw + ibv_mw.type$offset()) != IbvConstants.IBV_MW_TYPE_1()) {
            return Errno.EINVAL;
        }
        var info = ibv_mw_bind.bind_info(bind);
        long mr = ibv_mw_bind_info.mr(info).address();
        if (mr == 0 && (ibv_mw_bind_info.addr(info) != 0 || ibv_mw_bind_info.length(info) != 0)) {
            return Errno.EINVAL;
        }
        if (mr != 0 && NativeMemory.getLong(mw + ibv_mw.pd$offset()) != NativeMemory.getLong(mr + ibv_mr.pd$offset())) {
            return Errno.EPERM;
        }
        var function = op(Fields.context(mw), ibv_context_ops.bind_mw$offset());
        var errno = Errno.segment();
        try {
            return Errno.status((int) BIND.handle().invokeExact(function, errno, qp, mw, bind), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    private static MemorySegment op(long context, long offset) {
        return MemorySegment.ofAddress(NativeMemory.getLong(context + ibv_context.ops$offset() + offset));
    }
}
