package io.jverbs.ffm;

import io.jverbs.ffm.ibverbs.ibv_context;
import io.jverbs.ffm.ibverbs.ibv_context_ops;
import io.jverbs.ffm.ibverbs.verbs_context;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A {@code struct ibv_context} with its {@code struct verbs_context}, as libibverbs makes them, and objects of it. */
final class FakeContext {

    private static final long BYTES = Abi.CURRENT.layout(verbs_context.layout()).byteSize();

    private final Arena arena;
    private final MemorySegment extended;
    private final RecordingStruct ops;
    private final RecordingStruct extendedOps;

    FakeContext(Arena arena) {
        this.arena = arena;
        extended = arena.allocate(BYTES, Long.BYTES);
        extendedOps = new RecordingStruct(verbs_context.class, extended, arena);
        var table = extended.asSlice(offset("context") + ibv_context.ops$offset());
        ops = new RecordingStruct(ibv_context_ops.class, table, arena);
        size(BYTES);
        abiCompat(-1);
    }

    private static long offset(String... member) {
        return Abi.CURRENT.offset(verbs_context.layout(), member);
    }

    long address() {
        return extended.address() + offset("context");
    }

    RecordingStruct ops() {
        return ops;
    }

    RecordingStruct extendedOps() {
        return extendedOps;
    }

    /** What the library says is the size of its struct. */
    void size(long bytes) {
        extended.set(ValueLayout.JAVA_LONG, offset("sz"), bytes);
    }

    /** Shrinks the struct so that it just has a member, or just lacks it. */
    void sizeBeginningAt(String member, long shift) {
        size(BYTES - offset(member) - shift);
    }

    void abiCompat(long value) {
        extended.set(ValueLayout.JAVA_LONG, offset("context", "abi_compat"), value);
    }

    /** An object of 256 bytes, all 0 but for the pointer to this context that each begins with. */
    MemorySegment object() {
        var object = arena.allocate(256, Long.BYTES);
        object.set(ValueLayout.JAVA_LONG, 0, address());
        return object;
    }
}
