package io.jverbs;

import io.jverbs.spi.StackReserve;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * An object of a context, with its parents, its children and its closed state. As in verbs, an object with open
 * children cannot be closed. The lock of the context guards the parents, the children, and the start and end of the
 * destruction.
 */
abstract class Resource implements AutoCloseable {
    /** The order in which a context destroys its remaining objects when it is closed. */
    enum Rank {
        // windows first: Linux rxe needs most of a minute to destroy a queue pair on which a window is bound
        MEMORY_WINDOW,
        QUEUE_PAIR,
        ADDRESS_HANDLE,
        MEMORY_REGION,
        SHARED_RECEIVE_QUEUE,
        COMPLETION_QUEUE,
        COMPLETION_CHANNEL,
        PROTECTION_DOMAIN
    }

    private final RdmaContext context;
    private Resource[] parents;
    /** The objects that use this object, in the order of creation; null if there are none. */
    private Set<Resource> children;
    private volatile boolean closed;
    /** Whether a thread is destroying this object; guarded by the lock of the context. */
    private boolean closing;

    /**
     * Stores the context and the parents; null parents are ignored. Throws here, and not later in the constructor of
     * the subclass, if the stack is too short for the creation.
     */
    Resource(RdmaContext context, Resource... parents) {
        StackReserve.check();
        this.context = context;
        this.parents = parents;
    }

    /**
     * Adds this object to the context and to its parents. Constructors call this before they create the object of the
     * device, and call {@link #abandon} if that fails. No other step that can fail comes between.
     */
    final void adopt() {
        context.adopt(this);
    }

    /** Returns the rank of this object in the order of destruction. */
    abstract Rank rank();

    /** Destroys the object of the device; throws VerbsException and changes nothing if the device cannot destroy it. */
    abstract void destroy();

    /** Waits, after the destruction, until the program has acknowledged all retrieved events of this object. */
    void awaitEventsAcknowledged() {
        // most objects have no events
    }

    /** Undoes {@link #adopt} if the device could not create its object. */
    final void abandon() {
        closed = true;
        context.release(this);
    }

    /** Destroys this object because the context is closed. Its children are destroyed before. */
    void destroyWithContext() {
        if (context.claimForClosing(this)) {
            try {
                destroy();
            } finally {
                destroyed();
            }
        }
    }

    /** {@return the context of this object} */
    public final RdmaContext context() {
        return context;
    }

    /** {@return whether this object is closed} */
    public final boolean isClosed() {
        return closed;
    }

    /** Throws IllegalStateException if this object is closed. */
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

    /** Replaces a parent by another; the lock of the context is held. */
    final void exchangeParent(Resource before, Resource after) {
        Resource[] changed = parents.clone();
        for (int i = 0; i < changed.length; i++) {
            if (changed[i] == before) {
                changed[i] = after;
            }
        }
        parents = changed;
    }

    /** {@return the objects that use this object, in the order of creation} The lock of the context is held. */
    final Set<Resource> children() {
        return children == null ? Set.of() : children;
    }

    /** Adds an object that uses this object, unless it was added before; the lock of the context is held. */
    final void addChild(Resource child) {
        if (children == null) {
            children = new LinkedHashSet<>(4);
        }
        children.add(child);
    }

    /** Removes an object that used this object; the lock of the context is held. */
    final void removeChild(Resource child) {
        Set<Resource> present = children;
        if (present != null) {
            present.remove(child);
            children = present.isEmpty() ? null : present;
        }
    }

    /** Marks this object as closed before its destruction; the lock of the context is held. */
    final void markClosing() {
        closed = true;
        closing = true;
    }

    /** Returns whether a thread is destroying this object; the lock of the context is held. */
    final boolean isClosing() {
        return closing;
    }

    /** Ends the destruction; the object is open again if it is not done. The lock of the context is held. */
    final void markDestroyed(boolean done) {
        closed = done;
        closing = false;
    }

    private void destroyed() {
        endClose(true);
    }

    /** Ends the destruction. Tries again after an Error, because other threads may wait for the end. */
    private void endClose(boolean done) {
        try {
            context.endClose(this, done);
        } catch (RuntimeException | Error e) {
            context.endClose(this, done);
        }
    }

    /**
     * Destroys this object. A call on a closed object has no effect; it returns when the object is destroyed.
     *
     * @throws VerbsException with EBUSY if other objects still use this object
     */
    @Override
    public void close() {
        StackReserve.check();
        if (context.beginClose(this)) {
            boolean done = false;
            try {
                destroy();
                done = true;
            } finally {
                endClose(done);
            }
        }
        awaitEventsAcknowledged();
    }
}
