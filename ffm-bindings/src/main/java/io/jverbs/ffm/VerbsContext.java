package io.jverbs.ffm;

import io.jverbs.ffm.ibverbs.ibv_context;
import io.jverbs.ffm.ibverbs.verbs_context;

/**
 * {@code struct verbs_context}, whose last member is the {@code struct ibv_context} that programs use. New versions add
 * members at its front, so a member exists only if the struct of the library is large enough. The checks are those of
 * {@code verbs_get_ctx_op} in {@code infiniband/verbs.h}.
 */
final class VerbsContext {

    /** {@code __VERBS_ABI_IS_EXTENDED}. */
    private static final long ABI_IS_EXTENDED = -1;

    private static final long BYTES = Abi.CURRENT.layout(verbs_context.layout()).byteSize();
    private static final long CONTEXT = Abi.CURRENT.offset(verbs_context.layout(), "context");
    private static final long SZ = Abi.CURRENT.offset(verbs_context.layout(), "sz");
    private static final long ABI_COMPAT = Abi.CURRENT.offset(ibv_context.layout(), "abi_compat");

    private VerbsContext() {}

    /**
     * {@return a member that is a pointer; 0 if the library or the driver does not have it}
     *
     * @param context the {@code struct ibv_context}
     * @param offset the offset of the member in {@code struct verbs_context}
     */
    static long member(long context, long offset) {
        if (NativeMemory.getLong(context + ABI_COMPAT) != ABI_IS_EXTENDED) {
            return 0;
        }
        long extended = context - CONTEXT;
        if (Long.compareUnsigned(NativeMemory.getLong(extended + SZ), BYTES - offset) < 0) {
            return 0;
        }
        return NativeMemory.getLong(extended + offset);
    }
}
