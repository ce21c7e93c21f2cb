package io.jverbs;

/**
 * What all objects of a context share: who their parents are, whether anything still needs them, whether they are closed.
 * A parent with living children refuses to close, as verbs do.
 */
abstract class Resource implements AutoCloseable {
    /** The order in which a closing context takes what is left. */
    enum Rank {
        // windows first: Linux' rxe waits most of a minute when a queue pair goes on which a window is bound
        MEMORY_WINDOW, QUEUE_PAIR, ADDRESS_HANDLE, MEMORY_REGION, SHARED_RECEIVE_QUEUE, COMPLETION_QUEUE, COMPLETION_CHANNEL, PROTECTION_DOMAIN
    }

    private final RdmaContext context;
    private Resource[] parents;
    private int children;
    private volatile boolean closed;
    /** Closed, but the device is still at it; guarded by the context's lock. */
    private boolean closing;

    /** Joins the context and claims the parents; null parents are none. The device's object is made after this. */
    Resource(String operation, RdmaContext context, Resource... parents) {
        this.context = context;
        this.parents = parents;
        context.adopt(operation, this);
    }

    abstract Rank rank();

    /** Destroys the device's object; throws VerbsException, with nothing changed, if the device refuses. */
    abstract void destroy();

    /** Waits, after the object is gone, for what the program must still hand back. */
    void awaitReturned() {
        // only objects that have events wait
    }

    /** Undoes the constructor's claims when the device could not make its object. */
    final void abandon() {
        closed = true;
        context.release(this);
    }

    /** Destroys this object because the whole context closes; children, if any are left, go before. */
    void destroyWithContext() {
        if (context.claimForClosing(this)) {
            try {
                destroy();
            } finally {
                destroyed();
            }
        }
    }

    /** {@return the context that this object belongs to} */
    public final RdmaContext context() {
        return context;
    }

    /** {@return whether this object is closed} */
    public final boolean isClosed() {
        return closed;
    }

    final void checkOpen() {
        if (closed) {
            throw closedException();
        }
    }

    private IllegalStateException closedException() {
        return new IllegalStateException(this + " is closed");
    }

    final Resource[] parents() {
        return parents;
    }

    /** Replaces one parent by another; the context's lock is held. */
    final void exchangeParent(Resource before, Resource after) {
        Resource[] changed = parents.clone();
        for (int i = 0; i < changed.length; i++) {
            if (changed[i] == before) {
                changed[i] = after;
            }
        }
        parents = changed;
    }

    /** Children are counted under the context's lock. */
    final int children() {
        return children;
    }

    final void addChildren(int change) {
        children += change;
    }

    /** Marks this object closed, its destruction to follow; the context's lock is held. */
    final void markClosing() {
        closed = true;
        closing = true;
    }

    final boolean isClosing() {
        return closing;
    }

    /** Marks the destruction done, or undone if the device refused; the context's lock is held. */
    final void markDestroyed(boolean done) {
        closed = done;
        closing = false;
    }

    private void destroyed() {
        context.endClose(this, true);
    }

    /**
     * Destroys the object. A second call does nothing, but returns only when the object is destroyed.
     *
     * @throws VerbsException with EBUSY if something still needs this object
     */
    @Override
    public void close() {
        if (context.beginClose(this)) {
            boolean done = false;
            try {
                destroy();
                done = true;
            } finally {
                context.endClose(this, done);
            }
        }
        awaitReturned();
    }
}
