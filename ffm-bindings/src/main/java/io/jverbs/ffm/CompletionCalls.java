package io.jverbs.ffm;

import static io.jverbs.ffm.IbverbsFunction.*;

import io.jverbs.ffm.call.Call;
import io.jverbs.ffm.call.Downcall;
import io.jverbs.ffm.call.Errno;
import java.lang.foreign.MemorySegment;

/**
 * The verbs of completion channels and completion queues, except those that poll. Each method behaves as the man page
 * of the verb of the same name says.
 */
public final class CompletionCalls {

    private CompletionCalls() {}

    /**
     * {@code ibv_create_comp_channel}.
     *
     * @param context a {@code struct ibv_context}
     * @return the {@code struct ibv_comp_channel}, or -errno
     */
    public static long createCompChannel(long context) {
        return Call.pointer(IBV_CREATE_COMP_CHANNEL.handle(), context);
    }

    /**
     * {@code ibv_destroy_comp_channel}.
     *
     * @param channel a {@code struct ibv_comp_channel}
     * @return 0 or the errno: {@code EBUSY} (16) if a completion queue uses it
     */
    public static int destroyCompChannel(long channel) {
        return Call.status(IBV_DESTROY_COMP_CHANNEL.handle(), channel);
    }

    /**
     * {@code ibv_create_cq}.
     *
     * @param context a {@code struct ibv_context}
     * @param cqe the least number of completions that it must hold
     * @param cqContext the value that {@link #getCqEvent} returns with events of the queue
     * @param channel a {@code struct ibv_comp_channel}, or 0
     * @param compVector the completion vector, from 0, less than {@code num_comp_vectors} of the context
     * @return the {@code struct ibv_cq}, or -errno
     */
    public static long createCq(long context, int cqe, long cqContext, long channel, int compVector) {
        var errno = Errno.segment();
        try {
            return Errno.pointer((long) IBV_CREATE_CQ.handle().invokeExact(errno, context, cqe, cqContext, channel,
                    compVector), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * {@code ibv_create_cq_ex}.
     *
     * @param context a {@code struct ibv_context}
     * @param attr a {@code struct ibv_cq_init_attr_ex}
     * @return the {@code struct ibv_cq_ex}, which is also the address of its {@code struct ibv_cq}; or -errno
     */
    public static long createCqEx(long context, MemorySegment attr) {
        return Call.pointer(ContextOp.CREATE_CQ_EX.handle(context), context, attr);
    }

    /**
     * {@code ibv_resize_cq}.
     *
     * @param cq a {@code struct ibv_cq}
     * @param cqe the least number of completions that it must hold
     * @return 0 or the errno
     */
    public static int resizeCq(long cq, int cqe) {
        return Call.status(IBV_RESIZE_CQ.handle(), cq, cqe);
    }

    /**
     * {@code ibv_modify_cq}.
     *
     * @param cq a {@code struct ibv_cq}
     * @param attr a {@code struct ibv_modify_cq_attr}
     * @return 0 or the errno
     */
    public static int modifyCq(long cq, MemorySegment attr) {
        return Call.status(ContextOp.MODIFY_CQ.handle(Fields.context(cq)), cq, attr);
    }

    /**
     * {@code ibv_destroy_cq}. Waits until every event that {@link #getCqEvent} returned has been acknowledged.
     *
     * @param cq a {@code struct ibv_cq}
     * @return 0 or the errno: {@code EBUSY} (16) if a queue pair uses it
     */
    public static int destroyCq(long cq) {
        return Call.status(IBV_DESTROY_CQ.handle(), cq);
    }

    /**
     * {@code ibv_get_cq_event}. Waits for an event, unless the file descriptor of the channel is non-blocking.
     *
     * @param channel a {@code struct ibv_comp_channel}
     * @param cq a pointer; receives the {@code struct ibv_cq}
     * @param cqContext a pointer; receives the {@code cqContext} of {@link #createCq}
     * @return 0 or the errno: {@code EAGAIN} (11) if there is no event and the file descriptor is non-blocking
     */
    public static int getCqEvent(long channel, MemorySegment cq, MemorySegment cqContext) {
        return Call.status(IBV_GET_CQ_EVENT.handle(), channel, cq, cqContext);
    }

    /**
     * {@code ibv_ack_cq_events}.
     *
     * @param cq a {@code struct ibv_cq}
     * @param events the number of events to acknowledge
     */
    public static void ackCqEvents(long cq, int events) {
        try {
            IBV_ACK_CQ_EVENTS.handle().invokeExact(Errno.segment(), cq, events);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * {@return the text of an {@code enum ibv_wc_status}}
     *
     * @param status the value
     */
    public static String wcStatusStr(int status) {
        return NativeMemory.string(Call.address(IBV_WC_STATUS_STR.handle(), status));
    }
}
