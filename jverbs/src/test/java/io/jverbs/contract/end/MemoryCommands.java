package io.jverbs.contract.end;

import io.jverbs.contract.end.Infos.MwInfo;
import java.util.List;

/** Memory of the end, memory regions and memory windows. */
public interface MemoryCommands {

    /** The kinds of memory segments. */
    enum Kind {
        /** Shared arena, page aligned, zeroed. Tests use it by default. */
        SHARED,
        /** Automatic arena. */
        AUTO,
        /** Mapped temporary file. */
        MAPPED,
        /** Java array, which cannot be registered. */
        HEAP,
        /** Memory confined to a thread of the end, which cannot be registered. */
        CONFINED,
        /** Read-only view of shared memory. */
        READ_ONLY
    }

    /** Allocates zeroed memory of the end, without registration. */
    int allocateMemory(Kind kind, long bytes);

    /** Returns the address of offset 0 of the memory. */
    long memoryAddress(int memory);

    /** Closes the arena of the memory, registered or not. */
    void freeMemory(int memory);

    MrInfo registerMemory(MrSpec spec);

    /** Calls {@code pd.allocate}: creates a region that owns its memory. */
    MrInfo allocateRegion(int pd, long bytes, int access);

    /** Returns the current properties of the region. */
    MrInfo queryMr(int mr);

    MrInfo reregister(int mr, ReregSpec spec);

    /** Registers {@code perThread} regions in each of {@code threads} threads at the same time. */
    List<MrInfo> registerMany(int pd, int threads, int perThread, long bytes, int access);

    byte[] read(int memory, long offset, int length);

    void write(int memory, long offset, byte[] bytes);

    /** Writes the {@link Pattern} of a seed. Byte 0 of the pattern is at the offset. */
    void fill(int memory, long offset, long length, int seed);

    /** Returns the first index, relative to the offset, that differs from the pattern, or -1 if none does. */
    long firstMismatch(int memory, long offset, long length, int seed);

    /** Returns the first index, relative to the offset, whose byte differs from the value, or -1 if none does. */
    long firstOther(int memory, long offset, long length, byte value);

    /** Makes a volatile 8-byte load by the CPU, in native byte order. */
    long loadLong(int memory, long offset);

    /** Makes a volatile 8-byte store by the CPU, in native byte order. */
    void storeLong(int memory, long offset, long value);

    /** Makes {@code times} atomic additions by the CPU, one by one. */
    void addLong(int memory, long offset, long delta, int times);

    /** Spins with acquire loads until the 8 bytes have the value. Returns whether they had it before the timeout. */
    boolean awaitLong(int memory, long offset, long value, long millis);

    /** Spins with acquire loads until the byte has the value. Returns whether it had it before the timeout. */
    boolean awaitByte(int memory, long offset, byte value, long millis);

    /** Allocates a window of type 1, type 2, or any other number. */
    MwInfo allocateMw(int pd, int rawType);

    MwInfo queryMw(int mw);

    /** Calls {@code ibv_bind_mw}, which binds type 1 windows. */
    void bindMw(int qp, int mw, long wrId, int sendFlags, BindSpec bind);
}
