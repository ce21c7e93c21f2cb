package io.jverbs;

import io.jverbs.spi.Handle;
import io.jverbs.spi.StackReserve;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * An object of a context, with its parents, its children and its closed state. As in verbs, an object with open
 * children cannot be closed. The lock of {@link ContextObjects} guards the parents, the children, and the start and end
 * of the creation and the destruction.
 */
abstract class Resource implements AutoCloseable {
    /** The order in which a context destroys its remaining objects when it is closed. */
    enum Rank {
        // first, so that the peers learn of the end of their connections
        MANAGEMENT_CHANNEL,
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

    /**
     * The life of an object. In CREATING and CLOSING, a thread that closes it waits for the thread that creates or
     * closes it.
     * <pre>
     * state           created    creation fails                 close begins    close ends
     * CREATING        OPEN       DESTROYED, or CLOSE_FAILED     -               -
     * OPEN            -          -                              CLOSING         -
     * CLOSING         -          -                              -               DESTROYED, OPEN or CLOSE_FAILED
     * CLOSE_FAILED    -          -                              CLOSING         -
     * DESTROYED       -          -                              -               -
     * </pre>
     * A close ends in OPEN if the device refuses it, and in CLOSE_FAILED after an Error. The close of the context never
     * ends in OPEN: if the device refuses it, it gives the object up, or tries again later.
     */
    enum Lifecycle {
        /** A thread is creating the object. */
        CREATING,
        /** The object exists. */
        OPEN,
        /** A thread is destroying the object. */
        CLOSING,
        /** The object can no longer be used, but the device may still have something of it. */
        CLOSE_FAILED,
        /** The device has nothing left of the object, or the close of the context has given it up. */
        DESTROYED
    }

    private final RdmaContext context;
    private Resource[] parents;
    /** The objects that use this object, in the order of creation; null if there are none. */
    private Set<Resource> children;
    /** Guarded by the lock of the context. */
    private Lifecycle lifecycle = Lifecycle.CREATING;
    /** The context in CREATING and OPEN, otherwise null: one read tells a post both. */
    private volatile RdmaContext openContext;

    /**
     * Stores the context and the parents; null parents are ignored. Throws here, and not later in the constructor of
     * the subclass, if the stack is too short for the creation.
     */
    Resource(RdmaContext context, Resource... parents) {
        StackReserve.check();
        this.context = context;
        this.openContext = context;
        this.parents = parents;
    }

    /**
     * Adds this object to the context and to its parents. Constructors call this before they create the object of the
     * device, and {@link #created} afterwards. They call {@link #abandon} if one of these steps fails. Until then, a
     * thread that closes the context waits for this object.
     */
    final void adopt() {
        context.objects().adopt(this);
    }

    /** Ends the creation of this object; throws IllegalStateException if the context was closed meanwhile. */
    final void created() {
        context.objects().created(this);
    }

    /**
     * Ends the creation of this object, which failed. The object of the device is destroyed if it exists; if that fails
     * too, the close of the context tries again.
     *
     * @param cause why the creation failed
     */
    final void abandon(Throwable cause) {
        boolean isDestroyed = false;
        try {
            if (handle() != null) {
                destroy();
            }
            isDestroyed = true;
        } catch (RuntimeException | Error e) {
            // HotSpot may throw the same OutOfMemoryError twice
            if (e != cause) {
                cause.addSuppressed(e);
            }
        } finally {
            endClose(isDestroyed ? Lifecycle.DESTROYED : Lifecycle.CLOSE_FAILED);
        }
    }

    /** Returns the rank of this object in the order of destruction. */
    abstract Rank rank();

    /** Returns the device's handle of this object; null before the device has created it. */
    abstract Handle handle();

    /**
     * Destroys the object of the device; throws VerbsException and changes nothing if the device cannot destroy it.
     * After an Error, the next call does what is left.
     */
    abstract void destroy();

    /** Does what the device requires before {@link #destroy}, because the context is closed. */
    void prepareDestroyWithContext() {
        // most objects require nothing
    }

    /** Waits, after the destruction, until the program has acknowledged all retrieved events of this object. */
    void awaitEventsAcknowledged() {
        // most objects have no events
    }

    /**
     * Destroys this object because the context is closed. It is given up if the device refuses; after an Error, the
     * next call does what is left.
     *
     * @param afterError whether an Error was thrown for another object. Then nothing is done if this object has
     *        children that could not be destroyed. A refusal is then no reason to give this object up, because it may
     *        be due to the other object, such as a memory window that is bound to this region
     */
    final void destroyWithContext(boolean afterError) {
        if (context.objects().claimForClosing(this, afterError)) {
            boolean isDestroyed = false;
            try {
                prepareDestroyWithContext();
                destroy();
                isDestroyed = true;
            } catch (RuntimeException e) {
                isDestroyed = !afterError;
                throw e;
            } finally {
                endClose(isDestroyed ? Lifecycle.DESTROYED : Lifecycle.CLOSE_FAILED);
            }
        }
    }

    /** {@return the context of this object} */
    public final RdmaContext context() {
        return context;
    }

    /** {@return whether this object is closed} */
    public final boolean isClosed() {
        return openContext == null;
    }

    /** Throws IllegalStateException if this object is closed. */
    final void checkOpen() {
        requireOpen();
    }

    /** Returns the context; throws IllegalStateException if this object is closed. */
    final RdmaContext requireOpen() {
        RdmaContext open = openContext;
        if (open == null) {
            throw closedException();
        }
        return open;
    }

    /** Returns the context, or null if this object is closed. */
    final RdmaContext openContext() {
        return openContext;
    }

    private IllegalStateException closedException() {
        return new IllegalStateException(this + " is closed");
    }

    final Resource[] parents() {
        return parents;
    }

    /** Whether the calling thread holds the lock of the context; for assertions alone. */
    private boolean isLocked() {
        return context.objects().isHeldByCurrentThread();
    }

    /** Replaces a parent by another; the lock of the context is held. */
    final void exchangeParent(Resource before, Resource after) {
        assert isLocked();
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
        assert isLocked();
        return children == null ? Set.of() : children;
    }

    /** Adds an object that uses this object, unless it was added before; the lock of the context is held. */
    final void addChild(Resource child) {
        assert isLocked();
        if (children == null) {
            children = new LinkedHashSet<>(4);
        }
        children.add(child);
    }

    /** Removes an object that used this object; the lock of the context is held. */
    final void removeChild(Resource child) {
        assert isLocked();
        Set<Resource> present = children;
        if (present != null) {
            present.remove(child);
            children = present.isEmpty() ? null : present;
        }
    }

    /** Ends the creation; the lock of the context is held. */
    final void markCreated() {
        assert isLocked();
        lifecycle = Lifecycle.OPEN;
    }

    /** Marks this object as closed before its destruction; the lock of the context is held. */
    final void markClosing() {
        assert isLocked();
        openContext = null;
        lifecycle = Lifecycle.CLOSING;
    }

    /** Returns whether a thread is creating or destroying this object; the lock of the context is held. */
    final boolean isBusy() {
        assert isLocked();
        return lifecycle == Lifecycle.CREATING || lifecycle == Lifecycle.CLOSING;
    }

    /** Returns whether the device has nothing left of this object; the lock of the context is held. */
    final boolean isDestroyed() {
        assert isLocked();
        return lifecycle == Lifecycle.DESTROYED;
    }

    /** Ends the destruction, or the failed creation; the lock of the context is held. */
    final void markEnded(Lifecycle end) {
        assert isLocked();
        openContext = end == Lifecycle.OPEN ? context : null;
        lifecycle = end;
    }

    /** Ends the destruction. Tries again after an Error, because other threads may wait for the end. */
    private void endClose(Lifecycle end) {
        try {
            context.objects().endClose(this, end);
        } catch (RuntimeException | Error e) {
            context.objects().endClose(this, end);
        }
    }

    /**
     * Destroys this object. A call on a closed object has no effect; it returns when the object is destroyed. If an
     * Error is thrown, for instance an OutOfMemoryError, the object can no longer be used, and the next call does what
     * is left.
     *
     * @throws VerbsException with EBUSY if other objects still use this object
     */
    @Override
    public void close() {
        StackReserve.check();
        if (context.objects().beginClose(this)) {
            Lifecycle end = Lifecycle.CLOSE_FAILED;
            try {
                destroy();
                end = Lifecycle.DESTROYED;
            } catch (RuntimeException e) {
                // nothing is changed, so the object is open again
                end = Lifecycle.OPEN;
                throw e;
            } finally {
                endClose(end);
            }
        }
        awaitEventsAcknowledged();
    }
}
