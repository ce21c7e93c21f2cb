package io.jverbs.strict;

/**
 * Reports of a context on calls that are carried out all the same: what a listener throws then is kept until a call may throw it with
 * nothing lost, the next poll before it asks the device, or the close of the context at its end.
 */
final class Owed {
    private final StrictMode mode;
    /** What the first listener threw, the others' suppressed in it; null if there is nothing. Guarded by this. */
    private Throwable thrown;

    Owed(StrictMode mode) {
        this.mode = mode;
    }

    /** Reports a violation that has happened; throws nothing. */
    void report(Violation violation) {
        try {
            mode.report(violation);
        } catch (RuntimeException | Error e) {
            keep(e);
        }
    }

    private synchronized void keep(Throwable e) {
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

    /** Throws what is owed, once. */
    void pay() {
        switch (take()) {
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case null, default -> {
                // nothing is owed
            }
        }
    }
}
