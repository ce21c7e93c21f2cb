package io.jverbs;

import io.jverbs.spi.ContextOps;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** The objects that are open when their context is closed; they are destroyed with it, children before parents. */
final class RemainingObjects {
    /** Sorted by rank. */
    private final List<Resource> objects;
    /** The first failure, with the others as suppressed; null for none. */
    private Throwable failure;

    /** Copies and sorts the objects; they are in the order of creation. */
    RemainingObjects(Collection<Resource> open) {
        objects = new ArrayList<>(open);
        objects.sort(Comparator.comparing(Resource::rank));
    }

    /**
     * Destroys the objects, then closes the device. Continues after a failure. An object that the device refuses to
     * destroy is given up. After an Error, the device may still have the object. Then it is kept, with the objects that
     * it uses, and the device is not closed, so that the next close of the context completes this.
     *
     * @return whether the device is closed
     */
    boolean destroyAll(ContextOps ops) {
        boolean isComplete = true;
        for (int i = 0; i < objects.size(); i++) {
            try {
                objects.get(i).destroyWithContext(!isComplete);
            } catch (RuntimeException e) {
                failed(e);
            } catch (Error e) {
                isComplete = false;
                failed(e);
            }
        }
        if (!isComplete) {
            return false;
        }
        try {
            ops.close();
            return true;
        } catch (RuntimeException | Error e) {
            failed(e);
            return false;
        }
    }

    /** Keeps a failure. Throws nothing, so that the next object is destroyed. */
    private void failed(Throwable e) {
        if (failure == null) {
            failure = e;
        } else if (failure != e) {
            try {
                failure.addSuppressed(e);
            } catch (Error none) {
                // no memory to add it as suppressed; the first one is kept
            }
        }
    }

    /** Throws the first failure, with the others as suppressed, if there was one. */
    void rethrow() {
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof RuntimeException exception) {
            throw exception;
        }
    }
}
