package io.jverbs.contract.end;

import java.io.Serializable;

/**
 * The memory to register.
 *
 * @param pd id of the protection domain
 * @param memory id of memory allocated with {@link MemoryCommands#allocateMemory}; {@link End#NONE} for new zeroed
 *            memory of {@code length} bytes
 * @param offset start within the memory
 * @param length bytes
 * @param access {@link io.jverbs.Access} bits
 * @param iova start address that peers use; null for registration without an iova
 */
public record MrSpec(int pd, int memory, long offset, long length, int access, Long iova) implements Serializable {

    /** Registers new zeroed memory. */
    public static MrSpec of(int pd, long length, int access) {
        return new MrSpec(pd, End.NONE, 0, length, access, null);
    }

    /** Registers a part of existing memory. */
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
