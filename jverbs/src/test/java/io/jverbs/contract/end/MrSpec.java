package io.jverbs.contract.end;

import java.io.Serializable;

/**
 * What to register.
 *
 * @param pd     id of the protection domain
 * @param memory id of memory made with {@link MemoryCommands#allocateMemory}, or {@link End#NONE}: new zeroed memory
 *               of {@code length} bytes
 * @param offset start within the memory
 * @param length bytes
 * @param access {@link io.jverbs.Access} bits
 * @param iova   start address peers use; null: the API's plain registration
 */
public record MrSpec(int pd, int memory, long offset, long length, int access, Long iova) implements Serializable {

    /** New zeroed memory of its own. */
    public static MrSpec of(int pd, long length, int access) {
        return new MrSpec(pd, End.NONE, 0, length, access, null);
    }

    /** A part of memory that exists. */
    public static MrSpec part(int pd, int memory, long offset, long length, int access) {
        return new MrSpec(pd, memory, offset, length, access, null);
    }

    public MrSpec iova(long start) {
        return new MrSpec(pd, memory, offset, length, access, start);
    }

    public MrSpec access(int bits) {
        return new MrSpec(pd, memory, offset, length, bits, iova);
    }
}
