package io.jverbs.soft.jcstress;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.jverbs.Access;
import io.jverbs.MemoryRegion;
import io.jverbs.MemoryWindow;
import io.jverbs.MwBind;
import io.jverbs.MwType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** After close() of a memory window returns, its memory is not written through the window's key. */
@Outcome(id = "0", expect = ACCEPTABLE, desc = "No byte was written after close() returned.")
@Outcome(expect = FORBIDDEN, desc = "The number of bytes that were written after close() returned.")
public final class WindowClosing {
    /** The value of bytes before close(). */
    private static final byte TRAFFIC = 1;
    /** The value that the owner writes after close(). */
    private static final byte OWNER = 2;
    private static final int USES = 4;

    private WindowClosing() {}

    /** A window that the right queue pair has bound to a region. The left queue pair uses its key. */
    private abstract static class Closing {
        final ConnectedPair pair = ConnectedPair.take();
        final MemorySegment memory = Arena.ofAuto().allocate(ConnectedPair.BYTES, Long.BYTES).fill(TRAFFIC);
        final MemoryRegion region = ConnectedPair.PD.registerMemory(memory, ConnectedPair.ALL | Access.MW_BIND);
        final MemoryWindow window = ConnectedPair.PD.allocateMemoryWindow(MwType.TYPE_1);

        Closing() {
            pair.fill(TRAFFIC, TRAFFIC);
            pair.right.bindMemoryWindow(window, 0, 0,
                    new MwBind(region, region.address(), ConnectedPair.BYTES, Access.REMOTE_WRITE));
        }

        final void write() {
            pair.left.postSend(pair.write(ConnectedPair.BYTES).remote(region.address(), window.rkey()));
        }

        /** Uses the key, so that the key cache of the right queue pair holds it. */
        final void use() {
            for (int i = 0; i < USES; i++) {
                write();
                pair.drain();
            }
        }

        final void close() {
            window.close();
            memory.fill(OWNER);
        }

        final int written() {
            int count = 0;
            for (int i = 0; i < ConnectedPair.BYTES; i++) {
                count += memory.get(JAVA_BYTE, i) == TRAFFIC ? 1 : 0;
            }
            return count;
        }
    }

    /** The window was not used before. */
    @JCStressTest
    @JCStressMeta(WindowClosing.class)
    @State
    public static class UnusedWindow extends Closing {

        @Actor
        public void writer() {
            write();
        }

        @Actor
        public void owner() {
            close();
        }

        @Arbiter
        public void end(I_Result result) {
            result.r1 = written();
            region.close();
            pair.reconnectAndRelease();
        }
    }

    /** The key of the window is cached. */
    @JCStressTest
    @JCStressMeta(WindowClosing.class)
    @State
    public static class CachedWindow extends Closing {

        public CachedWindow() {
            use();
        }

        @Actor
        public void writer() {
            write();
        }

        @Actor
        public void owner() {
            close();
        }

        @Arbiter
        public void end(I_Result result) {
            result.r1 = written();
            region.close();
            pair.reconnectAndRelease();
        }
    }
}
