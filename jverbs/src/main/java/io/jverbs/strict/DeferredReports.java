package io.jverbs.strict;

import java.util.List;

/**
 * Reports violations from calls of a context that must complete, and defers what the listener throws. A deferred
 * exception is thrown by a call where nothing is lost: the next poll, before it asks the device, or the close of the
 * context, at its end. Thread-safe.
 */
final class DeferredReports {
    private final StrictMode mode;
    /**
     * What the listener threw first, with later ones added as suppressed; null for none. Written with the lock of this
     * held.
     */
    private volatile Throwable thrown;

    DeferredReports(StrictMode mode) {
        this.mode = mode;
    }

    /** Reports a violation of a call that has already been carried out. Throws nothing. */
    void report(Violation violation) {
        try {
            mode.report(violation);
        } catch (RuntimeException | Error e) {
            keep(e);
        }
    }

    /** Reports violations of a call that has already been carried out. Throws nothing. */
    void report(List<Violation> found) {
        try {
            for (int i = 0; i < found.size(); i++) {
                report(found.get(i));
            }
        } catch (RuntimeException | Error e) {
            keep(e);
        }
    }

    private void keep(Throwable e) {
        try {
            add(e);
        } catch (Error none) {
            // no memory to add it as suppressed; the first one is kept
        }
    }

    private synchronized void add(Throwable e) {
        if (thrown == null) {
            thrown = e;
        } else if (thrown != e) {
            thrown.addSuppressed(e);
        }
    }

    private synchronized Throwable take() {
        Throwable taken = thrown;
        thrown = null;
        return taken;
    }

    /** Throws what was deferred, once; does nothing if there is none. */
    void rethrow() {
        if (thrown != null) {
            Throwable deferred = take();
            if (deferred instanceof Error e) {
                throw e;
            }
            if (deferred instanceof RuntimeException e) {
                throw e;
            }
        }
    }
}
