package io.jverbs.ffm;

import static io.jverbs.ffm.call.Descriptors.BUFFER;
import static io.jverbs.ffm.call.Descriptors.HANDLE;
import static io.jverbs.ffm.call.Descriptors.INT;
import static io.jverbs.ffm.call.Descriptors.LONG;
import static io.jverbs.ffm.call.Descriptors.U8;
import static io.jverbs.ffm.call.Descriptors.returning;

import io.jverbs.ffm.call.Downcall;
import io.jverbs.ffm.ibverbs.verbs_context;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Locale;

/**
 * The function pointers of {@code struct verbs_context} that this package calls. The name of a constant is that of the
 * member, in upper case. Immutable.
 */
enum ContextOp {

    // @formatter:off
    QUERY_PORT(returning(INT, HANDLE, U8, BUFFER, LONG)),
    QUERY_DEVICE_EX(returning(INT, HANDLE, BUFFER, BUFFER, LONG)),
    QUERY_RT_VALUES(returning(INT, HANDLE, BUFFER)),

    ALLOC_TD(returning(HANDLE, HANDLE, BUFFER)),
    DEALLOC_TD(returning(INT, HANDLE)),
    ALLOC_PARENT_DOMAIN(returning(HANDLE, HANDLE, BUFFER)),
    OPEN_XRCD(returning(HANDLE, HANDLE, BUFFER)),
    CLOSE_XRCD(returning(INT, HANDLE)),

    ADVISE_MR(returning(INT, HANDLE, INT, INT, BUFFER, INT)),
    ALLOC_NULL_MR(returning(HANDLE, HANDLE)),
    ALLOC_DM(returning(HANDLE, HANDLE, BUFFER)),
    FREE_DM(returning(INT, HANDLE)),
    REG_DM_MR(returning(HANDLE, HANDLE, HANDLE, LONG, LONG, INT)),

    CREATE_CQ_EX(returning(HANDLE, HANDLE, BUFFER)),
    MODIFY_CQ(returning(INT, HANDLE, BUFFER)),

    CREATE_SRQ_EX(returning(HANDLE, HANDLE, BUFFER)),
    GET_SRQ_NUM(returning(INT, HANDLE, BUFFER)),

    CREATE_QP_EX(returning(HANDLE, HANDLE, BUFFER)),
    OPEN_QP(returning(HANDLE, HANDLE, BUFFER)),
    MODIFY_QP_RATE_LIMIT(returning(INT, HANDLE, BUFFER));
    // @formatter:on

    private final FunctionDescriptor type;
    private final Downcall downcall;
    private final MethodHandle missing;
    private final long offset;

    ContextOp(FunctionDescriptor type) {
        this.type = type;
        this.downcall = Downcall.throughPointer(type);
        this.missing = Downcall.missing(type);
        this.offset = Abi.CURRENT.offset(verbs_context.layout(), member());
    }

    String member() {
        return name().toLowerCase(Locale.ROOT);
    }

    FunctionDescriptor type() {
        return type;
    }

    /** {@return whether the driver of this context has the function} */
    boolean present(long context) {
        return function(context) != 0;
    }

    /**
     * {@return a handle of the function of this context's driver; its first parameter is the capture segment} If the
     * driver does not have the function, the handle fails with EOPNOTSUPP.
     */
    MethodHandle handle(long context) {
        long function = function(context);
        return function == 0 ? missing : downcall.handle().bindTo(MemorySegment.ofAddress(function));
    }

    private long function(long context) {
        return VerbsContext.member(context, offset);
    }
}
