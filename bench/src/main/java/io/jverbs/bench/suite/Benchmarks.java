package io.jverbs.bench.suite;

import java.lang.reflect.Method;
import java.util.Arrays;

/** Finds classes and methods by the names that JMH gives benchmarks. */
public final class Benchmarks {
    private static final String PACKAGE = "io.jverbs.bench.";

    private Benchmarks() {}

    /** {@return a name without the packages that all benchmarks have in common} */
    public static String shortName(String name) {
        return name.startsWith(PACKAGE) ? name.substring(PACKAGE.length()) : name;
    }

    /** {@return a short or full name with all packages} */
    static String fullName(String name) {
        return name.startsWith(PACKAGE) ? name : PACKAGE + name;
    }

    /** {@return the class of a benchmark's short or full name without its method} */
    public static Class<?> type(String name) {
        try {
            return Class.forName(fullName(name));
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException("there is no class of benchmarks " + name, e);
        }
    }

    /** {@return the method of a benchmark's short or full name} */
    public static Method method(String name) {
        int dot = name.lastIndexOf('.');
        return Arrays.stream(type(name.substring(0, dot)).getMethods())
                .filter(method -> method.getName().equals(name.substring(dot + 1))).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no benchmark " + name));
    }
}
