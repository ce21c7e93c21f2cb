package io.jverbs.ffm;

import static io.jverbs.ffm.IbverbsFunction.*;

import io.jverbs.ffm.call.Call;
import io.jverbs.ffm.call.Downcall;
import io.jverbs.ffm.call.Errno;
import io.jverbs.ffm.ibverbs.IbvConstants;
import io.jverbs.ffm.ibverbs.ibv_qp_init_attr_ex;
import java.lang.foreign.MemorySegment;

/**
 * The verbs of queue pairs, except those that post. Each method behaves as the man page of the verb of the same name
 * says.
 */
public final class QueuePairCalls {

    private QueuePairCalls() {}

    /**
     * {@code ibv_create_qp}.
     *
     * @param pd a {@code struct ibv_pd}
     * @param attr a {@code struct ibv_qp_init_attr}; receives the granted capacities
     * @return the {@code struct ibv_qp}, or -errno
     */
    public static long createQp(long pd, MemorySegment attr) {
        return Call.pointer(IBV_CREATE_QP.handle(), pd, attr);
    }

    /**
     * {@code ibv_create_qp_ex}. Calls {@link #createQp} if {@code comp_mask} names the protection domain only, as
     * {@code infiniband/verbs.h} does.
     *
     * @param context a {@code struct ibv_context}
     * @param attr a {@code struct ibv_qp_init_attr_ex}; receives the granted capacities
     * @return the {@code struct ibv_qp}, or -errno
     */
    public static long createQpEx(long context, MemorySegment attr) {
        if (ibv_qp_init_attr_ex.comp_mask(attr) == IbvConstants.IBV_QP_INIT_ATTR_PD()) {
            return createQp(ibv_qp_init_attr_ex.pd(attr).address(), attr);
        }
        return Call.pointer(ContextOp.CREATE_QP_EX.handle(context), context, attr);
    }

    /**
     * {@code ibv_open_qp}.
     *
     * @param context a {@code struct ibv_context}
     * @param attr a {@code struct ibv_qp_open_attr}
     * @return the {@code struct ibv_qp}, or -errno
     */
    public static long openQp(long context, MemorySegment attr) {
        return Call.pointer(ContextOp.OPEN_QP.handle(context), context, attr);
    }

    /**
     * {@code ibv_modify_qp}.
     *
     * @param qp a {@code struct ibv_qp}
     * @param attr a {@code struct ibv_qp_attr}
     * @param mask bits of {@code enum ibv_qp_attr_mask}
     * @return 0 or the errno
     */
    public static int modifyQp(long qp, MemorySegment attr, int mask) {
        return Call.status(IBV_MODIFY_QP.handle(), qp, attr, mask);
    }

    /**
     * {@code ibv_query_qp}.
     *
     * @param qp a {@code struct ibv_qp}
     * @param attr a {@code struct ibv_qp_attr}; receives the result
     * @param mask bits of {@code enum ibv_qp_attr_mask}: the attributes to query; the driver may write others too
     * @param initAttr a {@code struct ibv_qp_init_attr}; receives the result
     * @return 0 or the errno
     */
    public static int queryQp(long qp, MemorySegment attr, int mask, MemorySegment initAttr) {
        var errno = Errno.segment();
        try {
            return Errno.status((int) IBV_QUERY_QP.handle().invokeExact(errno, qp, attr, mask, initAttr), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * {@code ibv_query_qp_data_in_order}.
     *
     * @param qp a {@code struct ibv_qp}
     * @param opcode a value of {@code enum ibv_wr_opcode}
     * @param flags 0
     * @return whether the device is known to write data in order; false if the library does not have the function
     */
    public static boolean queryQpDataInOrder(long qp, int opcode, int flags) {
        if (!IBV_QUERY_QP_DATA_IN_ORDER.present()) {
            return false;
        }
        try {
            return (int) IBV_QUERY_QP_DATA_IN_ORDER.handle().invokeExact(Errno.segment(), qp, opcode, flags) == 1;
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * {@code ibv_modify_qp_rate_limit}.
     *
     * @param qp a {@code struct ibv_qp}
     * @param attr a {@code struct ibv_qp_rate_limit_attr}
     * @return 0 or the errno
     */
    public static int modifyQpRateLimit(long qp, MemorySegment attr) {
        return Call.status(ContextOp.MODIFY_QP_RATE_LIMIT.handle(Fields.context(qp)), qp, attr);
    }

    /**
     * {@code ibv_destroy_qp}. Waits until the asynchronous events of the queue pair have been acknowledged.
     *
     * @param qp a {@code struct ibv_qp}
     * @return 0 or the errno: {@code EBUSY} (16) if it is attached to a multicast group
     */
    public static int destroyQp(long qp) {
        return Call.status(IBV_DESTROY_QP.handle(), qp);
    }

    /**
     * {@code ibv_qp_to_qp_ex}.
     *
     * @param qp a {@code struct ibv_qp} that {@link #createQpEx} created with send operations
     * @return the {@code struct ibv_qp_ex}, or -errno if the queue pair was created without send operations
     */
    public static long qpToQpEx(long qp) {
        return Call.pointer(IBV_QP_TO_QP_EX.handle(), qp);
    }

    /**
     * {@code ibv_set_ece}.
     *
     * @param qp a {@code struct ibv_qp}
     * @param ece a {@code struct ibv_ece}
     * @return 0 or the errno
     */
    public static int setEce(long qp, MemorySegment ece) {
        return Call.status(IBV_SET_ECE.handle(), qp, ece);
    }

    /**
     * {@code ibv_query_ece}.
     *
     * @param qp a {@code struct ibv_qp}
     * @param ece a {@code struct ibv_ece}; receives the result
     * @return 0 or the errno
     */
    public static int queryEce(long qp, MemorySegment ece) {
        return Call.status(IBV_QUERY_ECE.handle(), qp, ece);
    }

    /**
     * {@code ibv_attach_mcast}.
     *
     * @param qp a {@code struct ibv_qp}, of type UD
     * @param gid a {@code union ibv_gid}
     * @param lid the LID of the group in host byte order
     * @return 0 or the errno
     */
    public static int attachMcast(long qp, MemorySegment gid, int lid) {
        return Call.status(IBV_ATTACH_MCAST.handle(), qp, gid, (short) lid);
    }

    /**
     * {@code ibv_detach_mcast}.
     *
     * @param qp a {@code struct ibv_qp}
     * @param gid a {@code union ibv_gid}
     * @param lid the LID of the group in host byte order
     * @return 0 or the errno
     */
    public static int detachMcast(long qp, MemorySegment gid, int lid) {
        return Call.status(IBV_DETACH_MCAST.handle(), qp, gid, (short) lid);
    }
}
