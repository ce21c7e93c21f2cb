package io.jverbs.soft.planted;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A class loader that defines its own copy of every class of the project (API, device and contract suite), some of them
 * from changed class files. Copies are needed because the API keeps its providers and the device keeps its network in
 * static fields. The parent loads all other classes. The contract suite finds one fixture in this loader, whatever the
 * class path declares.
 */
final class IsolatedLoader extends ClassLoader {
    private static final String OWN = "io.jverbs.";
    private static final String FIXTURES = "jverbs-contract.properties";
    private static final String FIXTURE_SERVICES = "META-INF/services/io.jverbs.contract.fixture.ContractFixture";
    /** Unchanged class files by class name, shared by all loaders. */
    private static final Map<String, byte[]> UNCHANGED = new ConcurrentHashMap<>();

    static {
        registerAsParallelCapable();
    }

    private final Map<String, byte[]> changed;

    /**
     * @param changed the changed class files, by class name
     */
    IsolatedLoader(Map<String, byte[]> changed) {
        super(IsolatedLoader.class.getClassLoader());
        this.changed = changed;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(OWN)) {
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

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        if (name.equals(FIXTURES)) {
            return Collections.enumeration(List.of(IsolatedLoader.class.getResource("fixture.properties")));
        }
        return name.equals(FIXTURE_SERVICES) ? Collections.emptyEnumeration() : super.getResources(name);
    }
}
