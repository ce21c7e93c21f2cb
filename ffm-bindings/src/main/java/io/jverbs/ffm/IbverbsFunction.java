package io.jverbs.ffm;

import static io.jverbs.ffm.call.Descriptors.BUFFER;
import static io.jverbs.ffm.call.Descriptors.HANDLE;
import static io.jverbs.ffm.call.Descriptors.INT;
import static io.jverbs.ffm.call.Descriptors.LONG;
import static io.jverbs.ffm.call.Descriptors.U16;
import static io.jverbs.ffm.call.Descriptors.U8;
import static io.jverbs.ffm.call.Descriptors.procedure;
import static io.jverbs.ffm.call.Descriptors.returning;

import io.jverbs.ffm.call.Downcall;
import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The functions of libibverbs that this package calls. The name of a constant is that of the symbol, in upper case.
 * Immutable.
 */
enum IbverbsFunction {

    // @formatter:off
    IBV_GET_DEVICE_LIST(returning(HANDLE, BUFFER)),
    IBV_FREE_DEVICE_LIST(procedure(HANDLE)),
    IBV_GET_DEVICE_NAME(returning(HANDLE, HANDLE)),
    IBV_GET_DEVICE_GUID(returning(LONG, HANDLE)),
    IBV_GET_DEVICE_INDEX(returning(INT, HANDLE), Since.LATER),
    IBV_OPEN_DEVICE(returning(HANDLE, HANDLE)),
    IBV_CLOSE_DEVICE(returning(INT, HANDLE)),
    IBV_IMPORT_DEVICE(returning(HANDLE, INT), Since.LATER),
    IBV_GET_ASYNC_EVENT(returning(INT, HANDLE, BUFFER)),
    IBV_ACK_ASYNC_EVENT(procedure(BUFFER)),
    IBV_QUERY_DEVICE(returning(INT, HANDLE, BUFFER)),
    IBV_QUERY_PORT(returning(INT, HANDLE, U8, BUFFER)),
    IBV_QUERY_GID(returning(INT, HANDLE, U8, INT, BUFFER)),
    _IBV_QUERY_GID_EX(returning(INT, HANDLE, INT, INT, BUFFER, INT, LONG), Since.LATER),
    _IBV_QUERY_GID_TABLE(returning(LONG, HANDLE, BUFFER, LONG, INT, LONG), Since.LATER),
    IBV_QUERY_PKEY(returning(INT, HANDLE, U8, INT, BUFFER)),
    IBV_GET_PKEY_INDEX(returning(INT, HANDLE, U8, U16), Since.LATER),
    IBV_FORK_INIT(returning(INT)),

    IBV_ALLOC_PD(returning(HANDLE, HANDLE)),
    IBV_DEALLOC_PD(returning(INT, HANDLE)),
    IBV_IMPORT_PD(returning(HANDLE, HANDLE, INT), Since.LATER),
    IBV_UNIMPORT_PD(procedure(HANDLE), Since.LATER),

    IBV_REG_MR(returning(HANDLE, HANDLE, HANDLE, LONG, INT)),
    IBV_REG_MR_IOVA(returning(HANDLE, HANDLE, HANDLE, LONG, LONG, INT), Since.LATER),
    IBV_REG_MR_IOVA2(returning(HANDLE, HANDLE, HANDLE, LONG, LONG, INT), Since.LATER),
    IBV_REG_DMABUF_MR(returning(HANDLE, HANDLE, LONG, LONG, LONG, INT, INT), Since.LATER),
    IBV_REREG_MR(returning(INT, HANDLE, INT, HANDLE, HANDLE, LONG, INT)),
    IBV_DEREG_MR(returning(INT, HANDLE)),
    IBV_IMPORT_MR(returning(HANDLE, HANDLE, INT), Since.LATER),
    IBV_UNIMPORT_MR(procedure(HANDLE), Since.LATER),

    IBV_CREATE_COMP_CHANNEL(returning(HANDLE, HANDLE)),
    IBV_DESTROY_COMP_CHANNEL(returning(INT, HANDLE)),
    IBV_CREATE_CQ(returning(HANDLE, HANDLE, INT, HANDLE, HANDLE, INT)),
    IBV_RESIZE_CQ(returning(INT, HANDLE, INT)),
    IBV_DESTROY_CQ(returning(INT, HANDLE)),
    IBV_GET_CQ_EVENT(returning(INT, HANDLE, BUFFER, BUFFER)),
    IBV_ACK_CQ_EVENTS(procedure(HANDLE, INT)),

    IBV_CREATE_SRQ(returning(HANDLE, HANDLE, BUFFER)),
    IBV_MODIFY_SRQ(returning(INT, HANDLE, BUFFER, INT)),
    IBV_QUERY_SRQ(returning(INT, HANDLE, BUFFER)),
    IBV_DESTROY_SRQ(returning(INT, HANDLE)),

    IBV_CREATE_QP(returning(HANDLE, HANDLE, BUFFER)),
    IBV_MODIFY_QP(returning(INT, HANDLE, BUFFER, INT)),
    IBV_QUERY_QP(returning(INT, HANDLE, BUFFER, INT, BUFFER)),
    IBV_QUERY_QP_DATA_IN_ORDER(returning(INT, HANDLE, INT, INT), Since.LATER),
    IBV_DESTROY_QP(returning(INT, HANDLE)),
    IBV_QP_TO_QP_EX(returning(HANDLE, HANDLE), Since.LATER),
    IBV_SET_ECE(returning(INT, HANDLE, BUFFER), Since.LATER),
    IBV_QUERY_ECE(returning(INT, HANDLE, BUFFER), Since.LATER),
    IBV_ATTACH_MCAST(returning(INT, HANDLE, BUFFER, U16)),
    IBV_DETACH_MCAST(returning(INT, HANDLE, BUFFER, U16)),

    IBV_CREATE_AH(returning(HANDLE, HANDLE, BUFFER)),
    IBV_INIT_AH_FROM_WC(returning(INT, HANDLE, U8, BUFFER, BUFFER, BUFFER)),
    IBV_CREATE_AH_FROM_WC(returning(HANDLE, HANDLE, BUFFER, BUFFER, U8)),
    IBV_DESTROY_AH(returning(INT, HANDLE)),
    IBV_RESOLVE_ETH_L2_FROM_GID(returning(INT, HANDLE, BUFFER, BUFFER, BUFFER)),

    IBV_RATE_TO_MULT(returning(INT, INT)),
    IBV_RATE_TO_MBPS(returning(INT, INT)),
    IBV_WC_STATUS_STR(returning(HANDLE, INT)),
    IBV_NODE_TYPE_STR(returning(HANDLE, INT)),
    IBV_PORT_STATE_STR(returning(HANDLE, INT)),
    IBV_EVENT_TYPE_STR(returning(HANDLE, INT));
    // @formatter:on

    /** Whether every version of the library has a function. */
    private enum Since {
        /** Part of ABI version IBVERBS_1.1 or earlier, which every libibverbs.so.1 has. */
        EVER,
        /** Part of a later version; the library can be used without it. */
        LATER
    }

    private final Downcall downcall;
    private final Since since;

    IbverbsFunction(FunctionDescriptor type) {
        this(type, Since.EVER);
    }

    IbverbsFunction(FunctionDescriptor type, Since since) {
        this.downcall = Downcall.exported(() -> LibraryProbe.IBVERBS.symbols(), symbol(), type);
        this.since = since;
    }

    static List<String> requiredSymbols() {
        return Arrays.stream(values()).filter(function -> function.since == Since.EVER).map(IbverbsFunction::symbol)
                .toList();
    }

    String symbol() {
        return name().toLowerCase(Locale.ROOT);
    }

    FunctionDescriptor type() {
        return downcall.type();
    }

    /** {@return whether the loaded library has the function} */
    boolean present() {
        return NativeLibrary.ibverbs() instanceof NativeLibrary.Usable library
                && library.symbols().find(symbol()).isPresent();
    }

    /** {@return a handle of the function; its first parameter is the capture segment} */
    MethodHandle handle() {
        return downcall.handle();
    }
}
