package io.jverbs.ffm;

import io.jverbs.ffm.ibverbs.ibv_context;
import io.jverbs.ffm.ibverbs.ibv_context_ops;
import io.jverbs.ffm.ibverbs.verbs_context;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A {@code struct ibv_context} inside a {@code struct verbs_context}, laid out as libibverbs lays it out. Also
 * allocates objects that belong to the context.
 */
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

    /** Sets {@code sz}, the size that the library reports for its struct. */
    void size(long bytes) {
        extended.set(ValueLayout.JAVA_LONG, offset("sz"), bytes);
    }

    /** Shrinks the struct. A shift of 0 leaves it just large enough for the member, a shift of 1 makes it too small. */
    void sizeBeginningAt(String member, long shift) {
        size(BYTES - offset(member) - shift);
    }

    void abiCompat(long value) {
        extended.set(ValueLayout.JAVA_LONG, offset("context", "abi_compat"), value);
    }

    /** Allocates an object of 256 bytes. It starts with a pointer to this context; the rest is zero. */
    MemorySegment object() {
        var object = arena.allocate(256, Long.BYTES);
        object.set(ValueLayout.JAVA_LONG, 0, address());
        return object;
    }
}
