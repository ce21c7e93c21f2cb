package io.jverbs.soft.jcstress;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.jverbs.Access;
import io.jverbs.MemoryRegion;
import io.jverbs.MemoryWindow;
import io.jverbs.MwBind;
import io.jverbs.MwType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A memory window that the right queue pair has bound to all of a region. The left queue pair uses its key. The memory
 * has one value while the window is open, and its owner writes another one afterwards.
 */
abstract class BoundWindow {
    private static final byte TRAFFIC = 1;
    private static final byte OWNER = 2;
    private static final int USES = 4;

    final ConnectedPair pair = ConnectedPair.take();
    final MemoryRegion region;
    final MemoryWindow window = ConnectedPair.PD.allocateMemoryWindow(MwType.TYPE_1);
    private final MemorySegment memory = Arena.ofAuto().allocate(ConnectedPair.BYTES, Long.BYTES).fill(TRAFFIC);
    private final int rkey;

    BoundWindow() {
        region = ConnectedPair.PD.registerMemory(memory, ConnectedPair.ALL | Access.MW_BIND);
        pair.fill(TRAFFIC, TRAFFIC);
        pair.right.bindMemoryWindow(window, 0, 0,
                new MwBind(region, region.address(), ConnectedPair.BYTES, Access.REMOTE_WRITE));
        rkey = window.rkey();
    }

    final void write() {
        pair.left.postSend(pair.write(ConnectedPair.BYTES).remote(region.address(), rkey));
    }

    /** Uses the key, so that the key cache of the right queue pair holds it. */
    final void use() {
        for (int i = 0; i < USES; i++) {
            write();
            pair.drain();
        }
    }

    /** Uses the key of other memory, so that the next WRITE takes the fast path first. */
    final void useOtherKey() {
        for (int i = 0; i < USES; i++) {
            pair.left.postSend(pair.write(ConnectedPair.BYTES));
            pair.drain();
        }
    }

    /** Uses the memory for something else, after close(). */
    final void reuse() {
        memory.fill(OWNER);
    }

    /** Returns how many bytes were written after {@link #reuse}. */
    final int written() {
        int count = 0;
        for (int i = 0; i < ConnectedPair.BYTES; i++) {
            count += memory.get(JAVA_BYTE, i) == TRAFFIC ? 1 : 0;
        }
        return count;
    }
}
