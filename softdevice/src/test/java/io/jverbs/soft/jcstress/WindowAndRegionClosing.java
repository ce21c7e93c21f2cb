package io.jverbs.soft.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.jverbs.VerbsException;
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

    /** One thread closes the window, and another one the region. */
    private abstract static class Closing extends BoundWindow {
        private volatile boolean windowClosed;

        /** @param cached whether the key cache of the right queue pair holds the window's key */
        Closing(boolean cached) {
            // if the fast path does not admit the next WRITE, it takes the general path
            useOtherKey();
            if (cached) {
                use();
            }
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
            reuse();
        }

        final void end(I_Result result) {
            while (!windowClosed) {
                Thread.onSpinWait();
            }
            result.r1 = written();
            pair.reconnectAndRelease();
        }
    }

    /** The window was not used before. jcstress runs this test only on a machine with at least three CPUs. */
    @JCStressTest
    @JCStressMeta(WindowAndRegionClosing.class)
    @State
    public static class UnusedWindowOfThreeThreads extends Closing {

        public UnusedWindowOfThreeThreads() {
            super(false);
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
            super(false);
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
            super(true);
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
