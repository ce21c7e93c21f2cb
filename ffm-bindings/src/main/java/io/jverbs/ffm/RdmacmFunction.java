package io.jverbs.ffm;

import static io.jverbs.ffm.call.Descriptors.BUFFER;
import static io.jverbs.ffm.call.Descriptors.HANDLE;
import static io.jverbs.ffm.call.Descriptors.INT;
import static io.jverbs.ffm.call.Descriptors.LONG;
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
 * The functions of librdmacm that this package calls. The name of a constant is that of the symbol, in upper case.
 * Immutable.
 */
enum RdmacmFunction {

    // @formatter:off
    RDMA_CREATE_EVENT_CHANNEL(returning(HANDLE)),
    RDMA_DESTROY_EVENT_CHANNEL(procedure(HANDLE)),
    RDMA_GET_CM_EVENT(returning(INT, HANDLE, BUFFER)),
    RDMA_ACK_CM_EVENT(returning(INT, HANDLE)),
    RDMA_EVENT_STR(returning(HANDLE, INT)),

    RDMA_CREATE_ID(returning(INT, HANDLE, BUFFER, HANDLE, INT)),
    RDMA_DESTROY_ID(returning(INT, HANDLE)),
    RDMA_MIGRATE_ID(returning(INT, HANDLE, HANDLE)),
    RDMA_SET_OPTION(returning(INT, HANDLE, INT, INT, BUFFER, LONG)),

    RDMA_BIND_ADDR(returning(INT, HANDLE, BUFFER)),
    RDMA_RESOLVE_ADDR(returning(INT, HANDLE, BUFFER, BUFFER, INT)),
    RDMA_RESOLVE_ROUTE(returning(INT, HANDLE, INT)),

    RDMA_LISTEN(returning(INT, HANDLE, INT)),
    RDMA_CONNECT(returning(INT, HANDLE, BUFFER)),
    RDMA_ACCEPT(returning(INT, HANDLE, BUFFER)),
    RDMA_REJECT(returning(INT, HANDLE, BUFFER, U8)),
    RDMA_REJECT_ECE(returning(INT, HANDLE, BUFFER, U8), Since.LATER),
    RDMA_ESTABLISH(returning(INT, HANDLE)),
    RDMA_NOTIFY(returning(INT, HANDLE, INT)),
    RDMA_DISCONNECT(returning(INT, HANDLE)),
    RDMA_INIT_QP_ATTR(returning(INT, HANDLE, BUFFER, BUFFER)),

    RDMA_JOIN_MULTICAST_EX(returning(INT, HANDLE, BUFFER, HANDLE)),
    RDMA_LEAVE_MULTICAST(returning(INT, HANDLE, BUFFER)),

    RDMA_SET_LOCAL_ECE(returning(INT, HANDLE, BUFFER), Since.LATER),
    RDMA_GET_REMOTE_ECE(returning(INT, HANDLE, BUFFER), Since.LATER);
    // @formatter:on

    /** Whether the library can be used without a function. */
    private enum Since {
        /** Part of ABI version RDMACM_1.2 or earlier; without it, the library cannot be used. */
        EVER,
        /** Part of a later version; the library can be used without it. */
        LATER
    }

    private final Downcall downcall;
    private final Since since;

    RdmacmFunction(FunctionDescriptor type) {
        this(type, Since.EVER);
    }

    RdmacmFunction(FunctionDescriptor type, Since since) {
        this.downcall = Downcall.exported(() -> LibraryProbe.RDMACM.symbols(), symbol(), type);
        this.since = since;
    }

    static List<String> requiredSymbols() {
        return Arrays.stream(values()).filter(function -> function.since == Since.EVER).map(RdmacmFunction::symbol)
                .toList();
    }

    String symbol() {
        return name().toLowerCase(Locale.ROOT);
    }

    FunctionDescriptor type() {
        return downcall.type();
    }

    /** {@return a handle of the function; its first parameter is the capture segment} */
    MethodHandle handle() {
        return downcall.handle();
    }
}
