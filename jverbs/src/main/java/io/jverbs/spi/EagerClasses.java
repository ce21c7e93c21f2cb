package io.jverbs.spi;

import java.util.List;
import java.util.Objects;

/**
 * Initializes classes before their first use. A class whose static initializer fails, for example by a stack overflow,
 * cannot be used again in its JVM. A device therefore initializes the classes of the data path when it is opened, where
 * a failure does no harm.
 */
public final class EagerClasses {
    private EagerClasses() {}

    /**
     * Initializes classes with the class loader of a given class.
     *
     * @param near a class of the same module
     * @param names the binary names of the classes
     * @throws IllegalStateException if a class does not exist; the message is its name
     */
    public static void initialize(Class<?> near, List<String> names) {
        Objects.requireNonNull(near, "near");
        for (String name : Objects.requireNonNull(names, "names")) {
            try {
                Class.forName(name, true, near.getClassLoader());
            } catch (ClassNotFoundException e) {
                throw new IllegalStateException(name, e);
            }
        }
    }
}
