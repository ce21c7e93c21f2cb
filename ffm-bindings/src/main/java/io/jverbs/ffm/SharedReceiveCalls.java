package io.jverbs.ffm;

import static io.jverbs.ffm.IbverbsFunction.*;

import io.jverbs.ffm.call.Call;
import io.jverbs.ffm.ibverbs.IbvConstants;
import io.jverbs.ffm.ibverbs.ibv_srq_init_attr_ex;
import java.lang.foreign.MemorySegment;

/**
 * The verbs of shared receive queues, except those that post. Each method behaves as the man page of the verb of the
 * same name says.
 */
public final class SharedReceiveCalls {

    private SharedReceiveCalls() {}

    /**
     * {@code ibv_create_srq}.
     *
     * @param pd a {@code struct ibv_pd}
     * @param attr a {@code struct ibv_srq_init_attr}; receives the granted capacities
     * @return the {@code struct ibv_srq}, or -errno
     */
    public static long createSrq(long pd, MemorySegment attr) {
        return Call.pointer(IBV_CREATE_SRQ.handle(), pd, attr);
    }

    /**
     * {@code ibv_create_srq_ex}. Calls {@link #createSrq} for a basic queue, as {@code infiniband/verbs.h} does.
     *
     * @param context a {@code struct ibv_context}
     * @param attr a {@code struct ibv_srq_init_attr_ex}; receives the granted capacities
     * @return the {@code struct ibv_srq}, or -errno
     */
    public static long createSrqEx(long context, MemorySegment attr) {
        int mask = ibv_srq_init_attr_ex.comp_mask(attr);
        int pd = IbvConstants.IBV_SRQ_INIT_ATTR_PD();
        int type = IbvConstants.IBV_SRQ_INIT_ATTR_TYPE();
        boolean basic = (mask & type) == 0 || ibv_srq_init_attr_ex.srq_type(attr) == IbvConstants.IBV_SRQT_BASIC();
        if ((mask & ~(pd | type)) == 0 && (mask & pd) != 0 && basic) {
            return createSrq(ibv_srq_init_attr_ex.pd(attr).address(), attr);
        }
        return Call.pointer(ContextOp.CREATE_SRQ_EX.handle(context), context, attr);
    }

    /**
     * {@code ibv_modify_srq}.
     *
     * @param srq a {@code struct ibv_srq}
     * @param attr a {@code struct ibv_srq_attr}
     * @param mask bits of {@code enum ibv_srq_attr_mask}
     * @return 0 or the errno
     */
    public static int modifySrq(long srq, MemorySegment attr, int mask) {
        return Call.status(IBV_MODIFY_SRQ.handle(), srq, attr, mask);
    }

    /**
     * {@code ibv_query_srq}.
     *
     * @param srq a {@code struct ibv_srq}
     * @param attr a {@code struct ibv_srq_attr}; receives the result
     * @return 0 or the errno
     */
    public static int querySrq(long srq, MemorySegment attr) {
        return Call.status(IBV_QUERY_SRQ.handle(), srq, attr);
    }

    /**
     * {@code ibv_get_srq_num}.
     *
     * @param srq a {@code struct ibv_srq}
     * @param number a {@code uint32_t}; receives the number
     * @return 0 or the errno
     */
    public static int getSrqNum(long srq, MemorySegment number) {
        return Call.status(ContextOp.GET_SRQ_NUM.handle(Fields.context(srq)), srq, number);
    }

    /**
     * {@code ibv_destroy_srq}. Waits until the asynchronous events of the queue have been acknowledged.
     *
     * @param srq a {@code struct ibv_srq}
     * @return 0 or the errno: {@code EBUSY} (16) if a queue pair uses it
     */
    public static int destroySrq(long srq) {
        return Call.status(IBV_DESTROY_SRQ.handle(), srq);
    }
}
