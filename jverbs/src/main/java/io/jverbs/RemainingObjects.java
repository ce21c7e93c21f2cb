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

    /** Copies and sorts the objects; they are in the order of creation. */
    RemainingObjects(Collection<Resource> open) {
        objects = new ArrayList<>(open);
        objects.sort(Comparator.comparing(Resource::rank));
    }

    /**
     * Destroys the objects, then closes the device. Continues after a failure, and throws the first failure at the end,
     * with the others as suppressed.
     */
    void destroyAll(ContextOps ops) {
        Throwable failure = null;
        for (Resource resource : objects) {
            try {
                resource.destroyWithContext();
            } catch (RuntimeException | Error e) {
                failure = withSuppressed(failure, e);
            }
        }
        try {
            ops.close();
        } catch (RuntimeException | Error e) {
            failure = withSuppressed(failure, e);
        }
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof RuntimeException exception) {
            throw exception;
        }
    }

    /** Returns the first failure, with the other one as suppressed. */
    private static Throwable withSuppressed(Throwable first, Throwable other) {
        if (first == null) {
            return other;
        }
        if (first != other) {
            first.addSuppressed(other);
        }
        return first;
    }
}
