package io.jverbs;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The open objects of a context and the relations between them. The lock guards them, and the start and end of the
 * creation and the destruction of each object and of the close of the context. It is not held while the device is
 * called. Thread-safe.
 */
final class ContextObjects {
    private static final int MAX_NAMED_CHILDREN = 3;

    private final RdmaDevice device;
    private final ReentrantLock lock = new ReentrantLock();
    /** Signaled when the failed creation or the destruction of an object ends, or a close of the context. */
    private final Condition ended = lock.newCondition();
    /** The open objects, in the order of creation. */
    private final Set<Resource> resources = new LinkedHashSet<>();
    private volatile State state = State.OPEN;
    /** The thread that is closing the context; null except in CLOSING. */
    private Thread closer;

    /**
     * The life of the context. Other threads that close it wait in CLOSING.
     * <pre>
     * state           close begins    close ends
     * OPEN            CLOSING         -
     * CLOSING         -               CLOSED, after an Error CLOSE_FAILED
     * CLOSE_FAILED    CLOSING         -
     * CLOSED          -               -
     * </pre>
     */
    private enum State {
        /** The context can be used. */
        OPEN,
        /** A thread destroys the objects and closes the device. */
        CLOSING,
        /** The context can no longer be used, but objects or the device are left. */
        CLOSE_FAILED,
        /** All objects are destroyed, and the device is closed. */
        CLOSED
    }

    /** Starts without objects, for a context of a device. */
    ContextObjects(RdmaDevice device) {
        this.device = device;
    }

    /** Returns whether the calling thread holds the lock; for assertions alone. */
    boolean isHeldByCurrentThread() {
        return lock.isHeldByCurrentThread();
    }

    /** Returns whether the context is closed. */
    boolean isClosed() {
        return state != State.OPEN;
    }

    /** Throws IllegalStateException if the context is closed. */
    void checkOpen() {
        if (state != State.OPEN) {
            throw new IllegalStateException("the context of " + device + " is closed");
        }
    }

    /** Adds a new object to the context and to its parents. */
    void adopt(Resource resource) {
        lock.lock();
        try {
            checkOpen();
            for (Resource parent : resource.parents()) {
                checkParent(parent);
            }
            register(resource);
        } finally {
            lock.unlock();
        }
    }

    private void register(Resource resource) {
        try {
            resources.add(resource);
            for (Resource parent : resource.parents()) {
                if (parent != null) {
                    parent.addChild(resource);
                }
            }
        } catch (RuntimeException | Error e) {
            release(resource);
            throw e;
        }
    }

    private static void checkParent(Resource parent) {
        if (parent != null) {
            parent.checkOpen();
        }
    }

    /** Ends the creation of an object; throws IllegalStateException if the context was closed meanwhile. */
    void created(Resource resource) {
        lock.lock();
        try {
            checkOpen();
            resource.markCreated();
        } finally {
            lock.unlock();
        }
    }

    /** Replaces a parent of an object by another. */
    void exchangeParent(Resource resource, Resource before, Resource after) {
        lock.lock();
        try {
            checkParent(after);
            if (!resource.isDestroyed()) {
                before.removeChild(resource);
                after.addChild(resource);
            }
            resource.exchangeParent(before, after);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Marks an object as closed, so that the caller destroys it. Throws EBUSY if it has children. Returns false if it
     * is destroyed already.
     */
    boolean beginClose(Resource resource) {
        lock.lock();
        try {
            awaitOtherThread(resource);
            if (!resource.isDestroyed() && !resource.children().isEmpty()) {
                throw new VerbsException("close", Errno.EBUSY,
                        resource + " is still used by " + describeChildren(resource));
            }
            return claim(resource);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Like {@link #beginClose}, but does not throw for an object that has children.
     *
     * @param onlyIfUnused whether to return false if it has
     */
    boolean claimForClosing(Resource resource, boolean onlyIfUnused) {
        lock.lock();
        try {
            awaitOtherThread(resource);
            return !(onlyIfUnused && !resource.children().isEmpty()) && claim(resource);
        } finally {
            lock.unlock();
        }
    }

    /** Waits until no other thread creates or destroys the object; the lock is held. */
    private void awaitOtherThread(Resource resource) {
        assert lock.isHeldByCurrentThread();
        while (resource.isBusy()) {
            ended.awaitUninterruptibly();
        }
    }

    private static boolean claim(Resource resource) {
        if (resource.isDestroyed()) {
            return false;
        }
        resource.markClosing();
        return true;
    }

    /**
     * Ends the destruction of an object, or its creation if that failed.
     *
     * @param end OPEN, CLOSE_FAILED or DESTROYED
     */
    void endClose(Resource resource, Resource.Lifecycle end) {
        lock.lock();
        try {
            resource.markEnded(end);
            ended.signalAll();
            if (end == Resource.Lifecycle.DESTROYED) {
                release(resource);
            }
        } finally {
            lock.unlock();
        }
    }

    private static String describeChildren(Resource parent) {
        List<String> named = new ArrayList<>();
        for (Resource child : parent.children()) {
            if (named.size() == MAX_NAMED_CHILDREN) {
                named.add("...");
                break;
            }
            named.add(child.toString());
        }
        return String.join(", ", named) + ": close these first";
    }

    /** Removes an object from the context and from its parents; has no effect if it is removed already. */
    private void release(Resource resource) {
        for (Resource parent : resource.parents()) {
            if (parent != null) {
                parent.removeChild(resource);
            }
        }
        resources.remove(resource);
    }

    /**
     * Marks the context as closed and returns its objects, so that the caller destroys them and calls {@link
     * #endCloseOfAll}. Waits while another thread does so. Returns null if nothing is left to do.
     */
    RemainingObjects beginCloseOfAll() {
        lock.lock();
        try {
            while (state == State.CLOSING && closer != Thread.currentThread()) {
                ended.awaitUninterruptibly();
            }
            if (state == State.CLOSED || state == State.CLOSING) {
                return null;
            }
            // allocate first: an OutOfMemoryError must not leave the context half closed
            RemainingObjects remaining = new RemainingObjects(resources);
            state = State.CLOSING;
            closer = Thread.currentThread();
            return remaining;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends what {@link #beginCloseOfAll} began. Tries again after an Error, because other threads may wait for the end.
     *
     * @param done whether the device is closed; otherwise the context can be closed again
     */
    void endCloseOfAll(boolean done) {
        try {
            markCloseEnded(done);
        } catch (RuntimeException | Error e) {
            markCloseEnded(done);
        }
    }

    private void markCloseEnded(boolean done) {
        lock.lock();
        try {
            state = done ? State.CLOSED : State.CLOSE_FAILED;
            closer = null;
            ended.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
