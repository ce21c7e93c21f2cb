package io.jverbs.injection;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/**
 * A class loader that defines all classes of the project itself, some of them instrumented. Other classes, and {@link
 * ErrorInjector}, are loaded by its parent.
 */
final class InstrumentedLoader extends ClassLoader {
    private static final String OWN = "io.jverbs.";

    private final Map<String, byte[]> instrumented;

    /** @param instrumented the instrumented class files by class name */
    InstrumentedLoader(Map<String, byte[]> instrumented) {
        super(InstrumentedLoader.class.getClassLoader());
        this.instrumented = instrumented;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(OWN) || name.startsWith(ErrorInjector.class.getName())) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            if (known != null) {
                return known;
            }
            byte[] file = instrumented.getOrDefault(name, read(name));
            return defineClass(name, file, 0, file.length);
        }
    }

    private byte[] read(String name) throws ClassNotFoundException {
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}
