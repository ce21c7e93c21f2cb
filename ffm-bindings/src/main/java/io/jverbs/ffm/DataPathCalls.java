package io.jverbs.ffm;

import static io.jverbs.ffm.Descriptors.HANDLE;
import static io.jverbs.ffm.Descriptors.INT;
import static io.jverbs.ffm.Descriptors.returning;

import io.jverbs.ffm.ibverbs.ibv_context;
import io.jverbs.ffm.ibverbs.ibv_context_ops;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The verbs of the data path, as one device's driver implements them: what {@code infiniband/verbs.h} calls through
 * {@code ibv_context.ops}. No call allocates. Results are the driver's own: 0 or the errno for the posting verbs, a
 * count or a negative number for {@link #pollCq}.
 *
 * <p>Each verb is called plainly or as a <em>critical</em> function, which saves the JVM's change of thread state.
 * While a thread is in a critical call, the whole JVM waits for it at the next safepoint: only a driver that neither
 * blocks nor enters the kernel in that verb may be called so.
 *
 * <p>Made once for a context. The driver fills the function table before {@code ibv_open_device} returns, so it is read
 * then. May be used by all threads, for objects of that context.
 */
public final class DataPathCalls {

    /**
     * Which verbs are called as critical functions.
     *
     * @param pollCq whether {@link DataPathCalls#pollCq} is
     * @param postSend whether {@link DataPathCalls#postSend} is
     * @param postRecv whether {@link DataPathCalls#postRecv} is
     * @param postSrqRecv whether {@link DataPathCalls#postSrqRecv} is
     */
    public record Critical(boolean pollCq, boolean postSend, boolean postRecv, boolean postSrqRecv) {

        /** No verb: right with every driver. */
        public static final Critical NONE = new Critical(false, false, false, false);

        /** Every verb that can be: for drivers whose data path stays in user space. */
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
     * Reads a context's function table.
     *
     * @param context the {@code struct ibv_context}
     * @param critical which verbs are called as critical functions
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
     * Takes completions, as {@code ibv_poll_cq} does.
     *
     * @param cq the {@code struct ibv_cq}
     * @param entries how many completions there is room for
     * @param wc the address of an array of {@code struct ibv_wc} of that length
     * @return how many were taken, or a negative number if the call failed
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
     * Posts send requests, as {@code ibv_post_send} does.
     *
     * @param qp the {@code struct ibv_qp}
     * @param wr the address of the first {@code struct ibv_send_wr}
     * @param badWr where the address of the request that failed is written
     * @return 0 or the errno
     */
    public int postSend(long qp, long wr, long badWr) {
        return post(criticalPostSend, postSend, qp, wr, badWr);
    }

    /**
     * Posts receive requests, as {@code ibv_post_recv} does.
     *
     * @param qp the {@code struct ibv_qp}
     * @param wr the address of the first {@code struct ibv_recv_wr}
     * @param badWr where the address of the request that failed is written
     * @return 0 or the errno
     */
    public int postRecv(long qp, long wr, long badWr) {
        return post(criticalPostRecv, postRecv, qp, wr, badWr);
    }

    /**
     * Posts receive requests to a shared receive queue, as {@code ibv_post_srq_recv} does.
     *
     * @param srq the {@code struct ibv_srq}
     * @param wr the address of the first {@code struct ibv_recv_wr}
     * @param badWr where the address of the request that failed is written
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
     * Asks for an event at the next completion, as {@code ibv_req_notify_cq} does. Never critical.
     *
     * @param cq the {@code struct ibv_cq}
     * @param solicitedOnly 0 for any completion, otherwise for solicited and failed ones only
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
