package io.jverbs.injection;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A class loader that defines its own copy of the classes of the project (API, device and tests), some of them from
 * changed class files. Copies are needed because the API keeps its providers and the device keeps its network in static
 * fields. The parent loads all other classes.
 */
public abstract class ProjectLoader extends ClassLoader {
    private static final String OWN = "io.jverbs.";
    /** Unchanged class files by class name, shared by all loaders. */
    private static final Map<String, byte[]> UNCHANGED = new ConcurrentHashMap<>();

    static {
        registerAsParallelCapable();
    }

    private final Map<String, byte[]> changed;

    /** @param changed the changed class files, by class name */
    protected ProjectLoader(Map<String, byte[]> changed) {
        super(ProjectLoader.class.getClassLoader());
        this.changed = changed;
    }

    /** Returns whether this loader defines a class. */
    protected boolean defines(String name) {
        return name.startsWith(OWN);
    }

    @Override
    protected final Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!defines(name)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            if (known != null) {
                return known;
            }
            byte[] bytes = changed.get(name);
            if (bytes == null) {
                bytes = UNCHANGED.computeIfAbsent(name, this::read);
            }
            if (bytes.length == 0) {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    /** Returns the class file on the class path; an empty array if there is none. */
    private byte[] read(String name) {
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            return in == null ? new byte[0] : in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
