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

/** A device of the world, with one completion queue and one region, of which the model knows each byte. */
final class Side {
    static final int ALL = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC
            | Access.MW_BIND;
    private static final int BYTES = 1 << 24;
    private static final int ALIGNMENT = 16;
    private static final int COMPLETIONS = 2048;
    private static final int AT_ONCE = 32;

    /** What is used again for each world: memory, and the model of it. */
    static final class Room {
        private final MemorySegment memory = Arena.ofAuto().allocate(BYTES, 4096);
        private final byte[] model = new byte[BYTES];
        private int used;
    }

    final RdmaContext context;
    final ProtectionDomain pd;
    final CompletionQueue cq;
    final MemoryRegion region;
    final WorkCompletions completions = WorkCompletions.create(AT_ONCE);
    private final Room room;

    Side(RdmaContext context, Room room) {
        this.context = context;
        this.room = room;
        pd = context.allocatePd();
        cq = context.createCompletionQueue(COMPLETIONS);
        room.memory.asSlice(0, room.used).fill((byte) 0);
        Arrays.fill(room.model, 0, room.used, (byte) 0);
        room.used = 0;
        region = pd.registerMemory(room.memory, ALL);
    }

    /** Zeroed memory with some bytes behind it that are nobody's. */
    int allocate(int bytes) {
        int at = room.used;
        room.used += (bytes + ALIGNMENT - 1 & -ALIGNMENT) + ALIGNMENT;
        if (room.used > BYTES) {
            throw new IllegalStateException("a script needs more than " + BYTES + " bytes");
        }
        return at;
    }

    /** Memory that holds something, which nobody is to change. */
    int allocate(byte[] content) {
        int at = allocate(content.length);
        MemorySegment.copy(content, 0, room.memory, ValueLayout.JAVA_BYTE, at, content.length);
        expect(at, content);
        return at;
    }

    byte at(int offset) {
        return room.memory.get(ValueLayout.JAVA_BYTE, offset);
    }

    long word(int offset) {
        return room.memory.get(ValueLayout.JAVA_LONG, offset);
    }

    boolean holds(int offset, byte[] content) {
        return differs(offset, content, 0) < 0;
    }

    /**
     * The first place at or behind one where memory is not what an array holds; -1 if there is none.
     *
     * @param offset where in memory the array's first byte would be
     */
    int differs(int offset, byte[] content, int from) {
        MemorySegment here = room.memory.asSlice(offset + from, content.length - from);
        long at = here.mismatch(MemorySegment.ofArray(content).asSlice(from));
        return at < 0 ? -1 : from + (int) at;
    }

    /** The model has this here. */
    void expect(int offset, byte[] content) {
        System.arraycopy(content, 0, room.model, offset, content.length);
    }

    /** What is here was judged, or may be anything. */
    void accept(int offset, int length) {
        MemorySegment.copy(room.memory, ValueLayout.JAVA_BYTE, offset, room.model, offset, length);
    }

    void checkMemory(String name) {
        long at = room.memory.asSlice(0, room.used).mismatch(MemorySegment.ofArray(room.model).asSlice(0, room.used));
        if (at >= 0) {
            throw new Violation("memory of " + name + " has " + at((int) at) + " at " + at + ", where the model has "
                    + room.model[(int) at]);
        }
    }
}
