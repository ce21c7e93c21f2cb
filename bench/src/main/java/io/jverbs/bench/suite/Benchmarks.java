package io.jverbs.bench.suite;

import java.lang.reflect.Method;
import java.util.Arrays;

/** Finds the classes and methods of benchmarks by the names that JMH uses. */
public final class Benchmarks {
    private static final String PACKAGE = "io.jverbs.bench.";

    private Benchmarks() {}

    /** {@return a name without the common packages of all benchmarks} */
    public static String shortName(String name) {
        return name.startsWith(PACKAGE) ? name.substring(PACKAGE.length()) : name;
    }

    /** {@return a short or full name with all packages} */
    public static String fullName(String name) {
        return name.startsWith(PACKAGE) ? name : PACKAGE + name;
    }

    /** {@return the class with a short or full name} */
    public static Class<?> type(String name) {
        try {
            return Class.forName(fullName(name));
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException("there is no benchmark class " + name, e);
        }
    }

    /** {@return the method of the benchmark with a short or full name} */
    public static Method method(String name) {
        int dot = name.lastIndexOf('.');
        return Arrays.stream(type(name.substring(0, dot)).getMethods())
                .filter(method -> method.getName().equals(name.substring(dot + 1))).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no benchmark " + name));
    }
}
