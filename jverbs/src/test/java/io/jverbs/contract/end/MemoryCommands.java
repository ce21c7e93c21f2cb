package io.jverbs.contract.end;

import io.jverbs.contract.end.Infos.MwInfo;
import java.util.List;

/** Memory of the end, regions and memory windows. */
public interface MemoryCommands {

    /** Kinds of memory segments. */
    enum Kind {
        /** Shared arena, page aligned, zeroed: what tests normally use. */
        SHARED,
        /** Automatic arena. */
        AUTO,
        /** Mapped temporary file. */
        MAPPED,
        /** A Java array: cannot be registered. */
        HEAP,
        /** Confined to a thread of the end: cannot be registered. */
        CONFINED,
        /** Read-only view of shared memory. */
        READ_ONLY
    }

    /** Zeroed memory of the end, not registered. */
    int allocateMemory(Kind kind, long bytes);

    /** Real address of offset 0 of the memory. */
    long memoryAddress(int memory);

    /** Closes the arena of the memory, registered or not. */
    void freeMemory(int memory);

    MrInfo registerMemory(MrSpec spec);

    /** {@code pd.allocate}: a region that owns its memory. */
    MrInfo allocateRegion(int pd, long bytes, int access);

    /** The region as it answers now. */
    MrInfo queryMr(int mr);

    MrInfo reregister(int mr, ReregSpec spec);

    /** Registers {@code perThread} regions in each of {@code threads} threads at once. */
    List<MrInfo> registerMany(int pd, int threads, int perThread, long bytes, int access);

    byte[] read(int memory, long offset, int length);

    void write(int memory, long offset, byte[] bytes);

    /** Writes the {@link Pattern} of a seed, starting with its byte 0 at the offset. */
    void fill(int memory, long offset, long length, int seed);

    /** First index (from the offset) that differs from the pattern, -1 when all is equal. */
    long firstMismatch(int memory, long offset, long length, int seed);

    /** First index (from the offset) whose byte is not the value, -1 when all are equal. */
    long firstOther(int memory, long offset, long length, byte value);

    /** Volatile 8-byte load by the CPU, native order. */
    long loadLong(int memory, long offset);

    /** Volatile 8-byte store by the CPU, native order. */
    void storeLong(int memory, long offset, long value);

    /** {@code times} atomic additions by the CPU, one by one. */
    void addLong(int memory, long offset, long delta, int times);

    /** Spins with acquire loads until the 8 bytes have the value; whether they had it in time. */
    boolean awaitLong(int memory, long offset, long value, long millis);

    /** Spins with acquire loads until the byte has the value; whether it had it in time. */
    boolean awaitByte(int memory, long offset, byte value, long millis);

    /** A window; type 1 or 2, or any other number. */
    MwInfo allocateMw(int pd, int rawType);

    MwInfo queryMw(int mw);

    /** {@code ibv_bind_mw}: type 1. */
    void bindMw(int qp, int mw, long wrId, int sendFlags, BindSpec bind);
}
