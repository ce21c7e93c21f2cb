package io.jverbs.ffm;

import static io.jverbs.ffm.IbverbsFunction.*;

import io.jverbs.ffm.call.Call;
import java.lang.foreign.MemorySegment;

/**
 * The verbs of protection, thread, parent and XRC domains. Each method behaves as the man page of the verb of the same
 * name says.
 */
public final class DomainCalls {

    private DomainCalls() {}

    /**
     * {@code ibv_alloc_pd}.
     *
     * @param context a {@code struct ibv_context}
     * @return the {@code struct ibv_pd}, or -errno
     */
    public static long allocPd(long context) {
        return Call.pointer(IBV_ALLOC_PD.handle(), context);
    }

    /**
     * {@code ibv_dealloc_pd}, also for a parent domain.
     *
     * @param pd a {@code struct ibv_pd}
     * @return 0 or the errno: {@code EBUSY} (16) if objects still belong to it
     */
    public static int deallocPd(long pd) {
        return Call.status(IBV_DEALLOC_PD.handle(), pd);
    }

    /**
     * {@code ibv_import_pd}.
     *
     * @param context a {@code struct ibv_context}
     * @param handle the kernel handle of a protection domain of the same command file descriptor
     * @return the {@code struct ibv_pd}, or -errno
     */
    public static long importPd(long context, int handle) {
        return Call.pointer(IBV_IMPORT_PD.handle(), context, handle);
    }

    /**
     * {@code ibv_unimport_pd}.
     *
     * @param pd a {@code struct ibv_pd} that {@link #importPd} returned
     */
    public static void unimportPd(long pd) {
        Call.procedure(IBV_UNIMPORT_PD.handle(), pd);
    }

    /**
     * {@code ibv_alloc_td}.
     *
     * @param context a {@code struct ibv_context}
     * @param attr a {@code struct ibv_td_init_attr}
     * @return the {@code struct ibv_td}, or -errno
     */
    public static long allocTd(long context, MemorySegment attr) {
        return Call.pointer(ContextOp.ALLOC_TD.handle(context), context, attr);
    }

    /**
     * {@code ibv_dealloc_td}.
     *
     * @param td a {@code struct ibv_td}
     * @return 0 or the errno
     */
    public static int deallocTd(long td) {
        return Call.status(ContextOp.DEALLOC_TD.handle(Fields.context(td)), td);
    }

    /**
     * {@code ibv_alloc_parent_domain}.
     *
     * @param context a {@code struct ibv_context}
     * @param attr a {@code struct ibv_parent_domain_init_attr}
     * @return the {@code struct ibv_pd}, or -errno
     */
    public static long allocParentDomain(long context, MemorySegment attr) {
        return Call.pointer(ContextOp.ALLOC_PARENT_DOMAIN.handle(context), context, attr);
    }

    /**
     * {@code ibv_open_xrcd}.
     *
     * @param context a {@code struct ibv_context}
     * @param attr a {@code struct ibv_xrcd_init_attr}
     * @return the {@code struct ibv_xrcd}, or -errno
     */
    public static long openXrcd(long context, MemorySegment attr) {
        return Call.pointer(ContextOp.OPEN_XRCD.handle(context), context, attr);
    }

    /**
     * {@code ibv_close_xrcd}.
     *
     * @param xrcd a {@code struct ibv_xrcd}
     * @return 0 or the errno
     */
    public static int closeXrcd(long xrcd) {
        return Call.status(ContextOp.CLOSE_XRCD.handle(Fields.context(xrcd)), xrcd);
    }
}
