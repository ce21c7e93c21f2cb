package io.jverbs.ffm;

import static io.jverbs.ffm.IbverbsFunction.*;

import io.jverbs.ffm.call.Call;
import io.jverbs.ffm.call.Downcall;
import io.jverbs.ffm.call.Errno;
import io.jverbs.ffm.ibverbs.IbvConstants;
import java.lang.foreign.MemorySegment;

/**
 * The verbs of memory regions and device memory. Each method behaves as the man page of the verb of the same name says.
 */
public final class MemoryCalls {

    private static final int OPTIONAL_ACCESS = IbvConstants.IBV_ACCESS_OPTIONAL_RANGE();

    private MemoryCalls() {}

    /**
     * {@code ibv_reg_mr} as {@code infiniband/verbs.h} defines it for C programs: with an optional access bit it calls
     * {@code ibv_reg_mr_iova2}, which removes such bits if the kernel does not know them.
     *
     * @param pd a {@code struct ibv_pd}
     * @param address the address of the first byte
     * @param length the number of bytes
     * @param access bits of {@code enum ibv_access_flags}
     * @return the {@code struct ibv_mr}, or -errno: {@code ENOMEM} (12) also if the process would lock more memory than
     *         {@code RLIMIT_MEMLOCK} allows
     */
    public static long regMr(long pd, long address, long length, int access) {
        if ((access & OPTIONAL_ACCESS) != 0) {
            return regMrIova2(pd, address, length, address, access);
        }
        var errno = Errno.segment();
        try {
            return Errno.pointer((long) IBV_REG_MR.handle().invokeExact(errno, pd, address, length, access), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * {@code ibv_reg_mr_iova} as {@code infiniband/verbs.h} defines it; see {@link #regMr} for optional access bits.
     *
     * @param pd a {@code struct ibv_pd}
     * @param address the address of the first byte
     * @param length the number of bytes
     * @param iova the address by which work requests name the first byte
     * @param access bits of {@code enum ibv_access_flags}
     * @return the {@code struct ibv_mr}, or -errno
     */
    public static long regMrIova(long pd, long address, long length, long iova, int access) {
        if ((access & OPTIONAL_ACCESS) != 0) {
            return regMrIova2(pd, address, length, iova, access);
        }
        return withIova(IBV_REG_MR_IOVA, pd, address, length, iova, access);
    }

    /**
     * {@code ibv_reg_mr_iova2}.
     *
     * @param pd a {@code struct ibv_pd}
     * @param address the address of the first byte
     * @param length the number of bytes
     * @param iova the address by which work requests name the first byte
     * @param access bits of {@code enum ibv_access_flags}, also optional ones
     * @return the {@code struct ibv_mr}, or -errno
     */
    public static long regMrIova2(long pd, long address, long length, long iova, int access) {
        return withIova(IBV_REG_MR_IOVA2, pd, address, length, iova, access);
    }

    private static long withIova(IbverbsFunction function, long pd, long address, long length, long iova, int access) {
        var errno = Errno.segment();
        try {
            return Errno.pointer((long) function.handle().invokeExact(errno, pd, address, length, iova, access), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * {@code ibv_reg_dmabuf_mr}.
     *
     * @param pd a {@code struct ibv_pd}
     * @param offset the offset of the first byte in the buffer
     * @param length the number of bytes
     * @param iova the address by which work requests name the first byte
     * @param fd the file descriptor of the dma-buf
     * @param access bits of {@code enum ibv_access_flags}
     * @return the {@code struct ibv_mr}, or -errno
     */
    public static long regDmabufMr(long pd, long offset, long length, long iova, int fd, int access) {
        var errno = Errno.segment();
        try {
            return Errno.pointer(
                    (long) IBV_REG_DMABUF_MR.handle().invokeExact(errno, pd, offset, length, iova, fd, access), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * The result of {@code ibv_rereg_mr}.
     *
     * @param code 0, or a negative value of {@code enum ibv_rereg_mr_err_code}, which gives the state of the region
     *            after the failure
     * @param errno the errno, 0 if the code is 0
     */
    public record Reregistration(int code, int errno) {}

    /**
     * {@code ibv_rereg_mr}.
     *
     * @param mr a {@code struct ibv_mr}
     * @param flags bits of {@code enum ibv_rereg_mr_flags}: which of the following arguments apply
     * @param pd a {@code struct ibv_pd}, or 0
     * @param address the address of the first byte, or 0
     * @param length the number of bytes, or 0
     * @param access bits of {@code enum ibv_access_flags}, or 0
     * @return the result
     */
    public static Reregistration reregMr(long mr, int flags, long pd, long address, long length, int access) {
        var errno = Errno.segment();
        try {
            int code = (int) IBV_REREG_MR.handle().invokeExact(errno, mr, flags, pd, address, length, access);
            return new Reregistration(code, code == 0 ? 0 : Errno.last(errno));
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * {@code ibv_dereg_mr}.
     *
     * @param mr a {@code struct ibv_mr}
     * @return 0 or the errno: {@code EBUSY} (16) if a memory window is bound to it
     */
    public static int deregMr(long mr) {
        return Call.status(IBV_DEREG_MR.handle(), mr);
    }

    /**
     * {@code ibv_import_mr}.
     *
     * @param pd a {@code struct ibv_pd}
     * @param handle the kernel handle of a region of the same command file descriptor
     * @return the {@code struct ibv_mr}, or -errno
     */
    public static long importMr(long pd, int handle) {
        return Call.pointer(IBV_IMPORT_MR.handle(), pd, handle);
    }

    /**
     * {@code ibv_unimport_mr}.
     *
     * @param mr a {@code struct ibv_mr} that {@link #importMr} returned
     */
    public static void unimportMr(long mr) {
        Call.procedure(IBV_UNIMPORT_MR.handle(), mr);
    }

    /**
     * {@code ibv_advise_mr}.
     *
     * @param pd a {@code struct ibv_pd}
     * @param advice a value of {@code enum ibv_advise_mr_advice}
     * @param flags bits of {@code enum ibv_advise_mr_flag}
     * @param sgList an array of {@code struct ibv_sge}
     * @param numSge the length of the array
     * @return 0 or the errno
     */
    public static int adviseMr(long pd, int advice, int flags, MemorySegment sgList, int numSge) {
        var errno = Errno.segment();
        try {
            return Errno.status((int) ContextOp.ADVISE_MR.handle(Fields.context(pd)).invokeExact(errno, pd, advice,
                    flags, sgList, numSge), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * {@code ibv_alloc_null_mr}.
     *
     * @param pd a {@code struct ibv_pd}
     * @return the {@code struct ibv_mr}, or -errno
     */
    public static long allocNullMr(long pd) {
        return Call.pointer(ContextOp.ALLOC_NULL_MR.handle(Fields.context(pd)), pd);
    }

    /**
     * {@code ibv_alloc_dm}.
     *
     * @param context a {@code struct ibv_context}
     * @param attr a {@code struct ibv_alloc_dm_attr}
     * @return the {@code struct ibv_dm}, or -errno
     */
    public static long allocDm(long context, MemorySegment attr) {
        return Call.pointer(ContextOp.ALLOC_DM.handle(context), context, attr);
    }

    /**
     * {@code ibv_free_dm}.
     *
     * @param dm a {@code struct ibv_dm}
     * @return 0 or the errno
     */
    public static int freeDm(long dm) {
        return Call.status(ContextOp.FREE_DM.handle(Fields.context(dm)), dm);
    }

    /**
     * {@code ibv_reg_dm_mr}.
     *
     * @param pd a {@code struct ibv_pd}
     * @param dm a {@code struct ibv_dm}
     * @param offset the offset of the first byte in the device memory
     * @param length the number of bytes
     * @param access bits of {@code enum ibv_access_flags}
     * @return the {@code struct ibv_mr}, or -errno
     */
    public static long regDmMr(long pd, long dm, long offset, long length, int access) {
        var errno = Errno.segment();
        try {
            return Errno.pointer((long) ContextOp.REG_DM_MR.handle(Fields.context(pd)).invokeExact(errno, pd, dm,
                    offset, length, access), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }
}
