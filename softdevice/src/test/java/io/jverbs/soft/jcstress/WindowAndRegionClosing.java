package io.jverbs.soft.jcstress;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.jverbs.Access;
import io.jverbs.MemoryRegion;
import io.jverbs.MemoryWindow;
import io.jverbs.MwBind;
import io.jverbs.MwType;
import io.jverbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * One thread closes a memory window and another one its region, while a WRITE names the key of the window, so that the
 * responder is being admitted to it. After close() of the region returns, its memory is not written, though the window
 * is not closed completely at that time.
 */
@Outcome(id = "0", expect = ACCEPTABLE, desc = "No byte was written after close() of the region returned.")
@Outcome(expect = FORBIDDEN, desc = "The number of bytes that were written after close() of the region returned.")
public final class WindowAndRegionClosing {
    /** The value of bytes before close(). */
    private static final byte TRAFFIC = 1;
    /** The value that the owner writes after close(). */
    private static final byte OWNER = 2;
    private static final int USES = 4;
    /** The states whose window {@link #CLOSER} closes. */
    private static final Queue<Closing> TO_CLOSE = new ConcurrentLinkedQueue<>();
    private static final Thread CLOSER = Thread.ofPlatform().daemon().name("closer").unstarted(() -> {
        while (true) {
            Closing next = TO_CLOSE.poll();
            if (next == null) {
                // on a machine with two CPUs, the actors need both
                Thread.yield();
            } else {
                next.closeWindow();
            }
        }
    });

    static {
        CLOSER.start();
    }

    private WindowAndRegionClosing() {}

    /** A window that the right queue pair has bound to all of a region. The left queue pair uses its key. */
    private abstract static class Closing {
        final ConnectedPair pair = ConnectedPair.take();
        final MemorySegment memory = Arena.ofAuto().allocate(ConnectedPair.BYTES, Long.BYTES).fill(TRAFFIC);
        final MemoryRegion region = ConnectedPair.PD.registerMemory(memory, ConnectedPair.ALL | Access.MW_BIND);
        final MemoryWindow window = ConnectedPair.PD.allocateMemoryWindow(MwType.TYPE_1);
        final int rkey;
        private volatile boolean windowClosed;

        /**
         * Binds the window.
         *
         * @param uses how many times its key is used, so that the key cache of the right queue pair holds it
         */
        Closing(int uses) {
            pair.fill(TRAFFIC, TRAFFIC);
            pair.right.bindMemoryWindow(window, 0, 0,
                    new MwBind(region, region.address(), ConnectedPair.BYTES, Access.REMOTE_WRITE));
            rkey = window.rkey();
            // the next WRITE takes the fast path first, and the general path if the fast path does not admit it
            for (int i = 0; i < USES; i++) {
                pair.left.postSend(pair.write(ConnectedPair.BYTES));
                pair.drain();
            }
            for (int i = 0; i < uses; i++) {
                write();
                pair.drain();
            }
        }

        final void write() {
            pair.left.postSend(pair.write(ConnectedPair.BYTES).remote(region.address(), rkey));
        }

        final void closeWindow() {
            window.close();
            windowClosed = true;
        }

        /** Closes the region as soon as the window is not bound to it, and then uses the memory for something else. */
        final void closeRegion() {
            while (!region.isClosed()) {
                try {
                    region.close();
                } catch (VerbsException e) {
                    // EBUSY: the window is bound to it
                    Thread.onSpinWait();
                }
            }
            memory.fill(OWNER);
        }

        final void end(I_Result result) {
            while (!windowClosed) {
                Thread.onSpinWait();
            }
            int written = 0;
            for (int i = 0; i < ConnectedPair.BYTES; i++) {
                written += memory.get(JAVA_BYTE, i) == TRAFFIC ? 1 : 0;
            }
            result.r1 = written;
            pair.reconnectAndRelease();
        }
    }

    /** The window was not used before. jcstress runs this test only on a machine with at least three CPUs. */
    @JCStressTest
    @JCStressMeta(WindowAndRegionClosing.class)
    @State
    public static class UnusedWindowOfThreeThreads extends Closing {

        public UnusedWindowOfThreeThreads() {
            super(0);
        }

        @Actor
        public void writer() {
            write();
        }

        @Actor
        public void windowOwner() {
            closeWindow();
        }

        @Actor
        public void regionOwner() {
            closeRegion();
        }

        @Arbiter
        public void arbiter(I_Result result) {
            end(result);
        }
    }

    /** The window was not used before. A thread that is no actor closes it. */
    @JCStressTest
    @JCStressMeta(WindowAndRegionClosing.class)
    @State
    public static class UnusedWindow extends Closing {

        public UnusedWindow() {
            super(0);
        }

        @Actor
        public void writer() {
            write();
        }

        @Actor
        public void regionOwner() {
            TO_CLOSE.add(this);
            closeRegion();
        }

        @Arbiter
        public void arbiter(I_Result result) {
            end(result);
        }
    }

    /** The key of the window is cached. A thread that is no actor closes the window. */
    @JCStressTest
    @JCStressMeta(WindowAndRegionClosing.class)
    @State
    public static class CachedWindow extends Closing {

        public CachedWindow() {
            super(USES);
        }

        @Actor
        public void writer() {
            write();
        }

        @Actor
        public void regionOwner() {
            TO_CLOSE.add(this);
            closeRegion();
        }

        @Arbiter
        public void arbiter(I_Result result) {
            end(result);
        }
    }
}
