package io.jverbs.soft.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

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
    private WindowClosing() {}

    /** The owner of the window closes it. */
    private abstract static class Closing extends BoundWindow {

        /** @param cached whether the key cache of the right queue pair holds the window's key */
        Closing(boolean cached) {
            if (cached) {
                use();
            }
        }

        final void close() {
            window.close();
            reuse();
        }

        final void end(I_Result result) {
            result.r1 = written();
            region.close();
            pair.reconnectAndRelease();
        }
    }

    /** The window was not used before. */
    @JCStressTest
    @JCStressMeta(WindowClosing.class)
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
        public void owner() {
            close();
        }

        @Arbiter
        public void arbiter(I_Result result) {
            end(result);
        }
    }

    /** The key of the window is cached. */
    @JCStressTest
    @JCStressMeta(WindowClosing.class)
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
        public void owner() {
            close();
        }

        @Arbiter
        public void arbiter(I_Result result) {
            end(result);
        }
    }
}
