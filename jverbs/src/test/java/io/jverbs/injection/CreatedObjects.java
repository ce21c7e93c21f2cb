package io.jverbs.injection;

import io.jverbs.VerbsException;
import io.jverbs.injection.ErrorInjector.InjectedError;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The objects that a scenario creates while an Error is thrown at an injection point, which may be anywhere. */
public final class CreatedObjects {
    private final List<AutoCloseable> created = new ArrayList<>();
    private final List<String> errors;

    /** @param errors takes the descriptions of the conditions that are violated */
    public CreatedObjects(List<String> errors) {
        this.errors = errors;
    }

    /** Creates an object. Returns null if the Error is thrown. */
    public <T extends AutoCloseable> T create(Supplier<T> constructor) {
        try {
            T object = constructor.get();
            created.add(object);
            return object;
        } catch (InjectedError e) {
            return null;
        } catch (VerbsException e) {
            // the thread that writes a capture reports the Error as the cause
            if (e.getMessage().contains(InjectedError.class.getName())) {
                return null;
            }
            throw e;
        }
    }

    /** Takes a step that may fail. */
    public static void attempt(Runnable step) {
        try {
            step.run();
        } catch (InjectedError | VerbsException e) {
            // the change may have been made or not, and the queue pair may be in ERR
        }
    }

    /** Closes the objects, the latest first. The Error may be thrown meanwhile. */
    public void close() {
        for (int i = created.size() - 1; i >= 0; i--) {
            try {
                created.get(i).close();
            } catch (InjectedError | VerbsException e) {
                // closed again, with the objects that depend on it
            } catch (Exception e) {
                errors.add("closing " + created.get(i) + ": " + e);
            }
        }
    }

    /**
     * Closes the objects that are still open, after the Error.
     *
     * @param before takes steps that an object may need before it can be closed
     */
    public void closeAgain(Iterable<Runnable> before) {
        before.forEach(CreatedObjects::attempt);
        for (int i = created.size() - 1; i >= 0; i--) {
            try {
                created.get(i).close();
            } catch (Exception e) {
                errors.add("closing " + created.get(i) + " again: " + e);
            }
        }
    }
}
