package io.jverbs.soft.traffic;

import io.jverbs.Access;
import io.jverbs.CompletionQueue;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.RdmaContext;
import io.jverbs.WorkCompletions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** One of the two devices, with one completion queue and one region, and a model of each byte of the region. */
final class Side {
    static final int ALL = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC
            | Access.MW_BIND;
    private static final int BYTES = 1 << 24;
    private static final int ALIGNMENT = 16;
    private static final int COMPLETIONS = 2048;
    private static final int BATCH = 32;

    /** Memory and its model, reused for each run. */
    static final class Buffer {
        private final MemorySegment memory = Arena.ofAuto().allocate(BYTES, 4096);
        private final byte[] model = new byte[BYTES];
        private int used;
    }

    final RdmaContext context;
    final ProtectionDomain pd;
    final CompletionQueue cq;
    final MemoryRegion region;
    final WorkCompletions completions = WorkCompletions.create(BATCH);
    private final Buffer buffer;

    Side(RdmaContext context, Buffer buffer) {
        this.context = context;
        this.buffer = buffer;
        pd = context.allocatePd();
        cq = context.createCompletionQueue(COMPLETIONS);
        buffer.memory.asSlice(0, buffer.used).fill((byte) 0);
        Arrays.fill(buffer.model, 0, buffer.used, (byte) 0);
        buffer.used = 0;
        region = pd.registerMemory(buffer.memory, ALL);
    }

    /** Allocates zeroed memory, followed by some bytes that must stay unused. */
    int allocate(int bytes) {
        int at = buffer.used;
        buffer.used += (bytes + ALIGNMENT - 1 & -ALIGNMENT) + ALIGNMENT;
        if (buffer.used > BYTES) {
            throw new IllegalStateException("the script needs more than " + BYTES + " bytes of memory");
        }
        return at;
    }

    /** Allocates memory with content that must not change. */
    int allocate(byte[] content) {
        int at = allocate(content.length);
        MemorySegment.copy(content, 0, buffer.memory, ValueLayout.JAVA_BYTE, at, content.length);
        expect(at, content);
        return at;
    }

    byte at(int offset) {
        return buffer.memory.get(ValueLayout.JAVA_BYTE, offset);
    }

    long word(int offset) {
        return buffer.memory.get(ValueLayout.JAVA_LONG, offset);
    }

    boolean holds(int offset, byte[] content) {
        return differs(offset, content, 0) < 0;
    }

    /**
     * Returns the first index at or after {@code from} at which memory differs from an array; -1 if there is none.
     *
     * @param offset the offset in memory that corresponds to index 0
     * @param content the array
     * @param from the index to start at
     */
    int differs(int offset, byte[] content, int from) {
        MemorySegment here = buffer.memory.asSlice(offset + from, content.length - from);
        long at = here.mismatch(MemorySegment.ofArray(content).asSlice(from));
        return at < 0 ? -1 : from + (int) at;
    }

    /** Sets the model of a range to the given content. */
    void expect(int offset, byte[] content) {
        System.arraycopy(content, 0, buffer.model, offset, content.length);
    }

    /** Sets the model of a range to its actual content, because it was checked or may be anything. */
    void accept(int offset, int length) {
        MemorySegment.copy(buffer.memory, ValueLayout.JAVA_BYTE, offset, buffer.model, offset, length);
    }

    void checkMemory(String name) {
        MemorySegment model = MemorySegment.ofArray(buffer.model).asSlice(0, buffer.used);
        long at = buffer.memory.asSlice(0, buffer.used).mismatch(model);
        if (at >= 0) {
            throw new Violation("byte " + at + " of the memory of " + name + " is " + at((int) at) + ", expected "
                    + buffer.model[(int) at]);
        }
    }
}
