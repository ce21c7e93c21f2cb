package io.jverbs.ffm;

import static io.jverbs.ffm.call.Descriptors.HANDLE;
import static io.jverbs.ffm.call.Descriptors.INT;
import static io.jverbs.ffm.call.Descriptors.returning;

import io.jverbs.ffm.call.Downcall;
import io.jverbs.ffm.ibverbs.ibv_context;
import io.jverbs.ffm.ibverbs.ibv_context_ops;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The data path verbs of a device's driver, which {@code infiniband/verbs.h} calls through {@code ibv_context.ops}. No
 * call allocates. The results are those of the driver: 0 or the errno for the posting verbs, a count or a negative
 * number for {@link #pollCq}.
 *
 * <p>
 * Each verb is called as a normal or as a <em>critical</em> function ({@link Linker.Option#critical}). A critical call
 * saves the thread state transitions of the JVM. But the whole JVM waits at a safepoint until the critical call
 * returns, so a verb may be critical only if the driver neither blocks nor enters the kernel in it.
 *
 * <p>
 * There is one object for each context. It reads the function table once, as the driver fills it before {@code
 * ibv_open_device} returns. Immutable; any thread may use it for objects of that context.
 */
public final class DataPathCalls {

    /**
     * The verbs that are called as critical functions.
     *
     * @param pollCq whether {@link DataPathCalls#pollCq} is critical
     * @param postSend whether {@link DataPathCalls#postSend} is critical
     * @param postRecv whether {@link DataPathCalls#postRecv} is critical
     * @param postSrqRecv whether {@link DataPathCalls#postSrqRecv} is critical
     */
    public record Critical(boolean pollCq, boolean postSend, boolean postRecv, boolean postSrqRecv) {

        /** No verb is critical: safe with every driver. */
        public static final Critical NONE = new Critical(false, false, false, false);

        /** Every verb that can be is critical: for drivers whose data path stays in user space. */
        public static final Critical ALL = new Critical(true, true, true, true);
    }

    private static final FunctionDescriptor POLL = returning(INT, HANDLE, INT, HANDLE);
    private static final FunctionDescriptor POST = returning(INT, HANDLE, HANDLE, HANDLE);
    private static final FunctionDescriptor NOTIFY = returning(INT, HANDLE, INT);

    private static final MethodHandle PLAIN_POLL = Linker.nativeLinker().downcallHandle(POLL);
    private static final MethodHandle PLAIN_POST = Linker.nativeLinker().downcallHandle(POST);
    private static final MethodHandle PLAIN_NOTIFY = Linker.nativeLinker().downcallHandle(NOTIFY);
    private static final MethodHandle CRITICAL_POLL = Linker.nativeLinker().downcallHandle(POLL,
            Linker.Option.critical(false));
    private static final MethodHandle CRITICAL_POST = Linker.nativeLinker().downcallHandle(POST,
            Linker.Option.critical(false));

    private final MemorySegment pollCq;
    private final MemorySegment postSend;
    private final MemorySegment postRecv;
    private final MemorySegment postSrqRecv;
    private final MemorySegment reqNotifyCq;

    private final boolean criticalPollCq;
    private final boolean criticalPostSend;
    private final boolean criticalPostRecv;
    private final boolean criticalPostSrqRecv;

    /**
     * Reads the function table of a context.
     *
     * @param context the {@code struct ibv_context}
     * @param critical the verbs that are called as critical functions
     */
    public DataPathCalls(long context, Critical critical) {
        long ops = context + ibv_context.ops$offset();
        pollCq = function(ops + ibv_context_ops.poll_cq$offset());
        postSend = function(ops + ibv_context_ops.post_send$offset());
        postRecv = function(ops + ibv_context_ops.post_recv$offset());
        postSrqRecv = function(ops + ibv_context_ops.post_srq_recv$offset());
        reqNotifyCq = function(ops + ibv_context_ops.req_notify_cq$offset());
        criticalPollCq = critical.pollCq();
        criticalPostSend = critical.postSend();
        criticalPostRecv = critical.postRecv();
        criticalPostSrqRecv = critical.postSrqRecv();
    }

    private static MemorySegment function(long pointer) {
        return MemorySegment.ofAddress(NativeMemory.getLong(pointer));
    }

    /**
     * Removes completions from a completion queue: {@code ibv_poll_cq}.
     *
     * @param cq the {@code struct ibv_cq}
     * @param entries the greatest number of completions to remove
     * @param wc the address of an array of {@code struct ibv_wc} of that length
     * @return the number of completions removed, or a negative number if the call failed
     */
    public int pollCq(long cq, int entries, long wc) {
        try {
            return criticalPollCq
                    ? (int) CRITICAL_POLL.invokeExact(pollCq, cq, entries, wc)
                    : (int) PLAIN_POLL.invokeExact(pollCq, cq, entries, wc);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * Posts send requests: {@code ibv_post_send}.
     *
     * @param qp the {@code struct ibv_qp}
     * @param wr the address of the first {@code struct ibv_send_wr}
     * @param badWr the address of a pointer; receives the address of the request that failed
     * @return 0 or the errno
     */
    public int postSend(long qp, long wr, long badWr) {
        return post(criticalPostSend, postSend, qp, wr, badWr);
    }

    /**
     * Posts receive requests: {@code ibv_post_recv}.
     *
     * @param qp the {@code struct ibv_qp}
     * @param wr the address of the first {@code struct ibv_recv_wr}
     * @param badWr the address of a pointer; receives the address of the request that failed
     * @return 0 or the errno
     */
    public int postRecv(long qp, long wr, long badWr) {
        return post(criticalPostRecv, postRecv, qp, wr, badWr);
    }

    /**
     * Posts receive requests to a shared receive queue: {@code ibv_post_srq_recv}.
     *
     * @param srq the {@code struct ibv_srq}
     * @param wr the address of the first {@code struct ibv_recv_wr}
     * @param badWr the address of a pointer; receives the address of the request that failed
     * @return 0 or the errno
     */
    public int postSrqRecv(long srq, long wr, long badWr) {
        return post(criticalPostSrqRecv, postSrqRecv, srq, wr, badWr);
    }

    private static int post(boolean critical, MemorySegment function, long queue, long wr, long badWr) {
        try {
            return critical
                    ? (int) CRITICAL_POST.invokeExact(function, queue, wr, badWr)
                    : (int) PLAIN_POST.invokeExact(function, queue, wr, badWr);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * Requests an event for the next completion: {@code ibv_req_notify_cq}. Never critical.
     *
     * @param cq the {@code struct ibv_cq}
     * @param solicitedOnly 0 for any completion, otherwise only solicited completions and completions in error raise
     *            the event
     * @return 0 or the errno
     */
    public int reqNotifyCq(long cq, int solicitedOnly) {
        try {
            return (int) PLAIN_NOTIFY.invokeExact(reqNotifyCq, cq, solicitedOnly);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }
}
