package io.jverbs.soft.bounds;

import io.jverbs.Verbs;
import io.jverbs.ffm.DeviceCalls;
import io.jverbs.soft.SoftProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.ReferenceQueue;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

/**
 * Finds the fields of the three libraries through which memory use may grow: collections, maps and other containers,
 * arrays that can be replaced by longer ones, and links from an object to another object of its class.
 */
final class GrowingFields {
    /** The classes that jextract generates, which have only constants. */
    private static final String GENERATED = "io.jverbs.ffm.ibverbs.";
    private static final String SUFFIX = ".class";
    private static final List<Class<?>> GROWING = List.of(Iterable.class, Map.class, BitSet.class, StringBuilder.class,
            ThreadLocal.class, ReferenceQueue.class, Executor.class);

    private GrowingFields() {}

    /** Returns the names of the fields, as class and field relative to the package {@code io.jverbs}, sorted. */
    static TreeSet<String> all() {
        TreeSet<String> names = new TreeSet<>();
        for (Class<?> one : List.of(DeviceCalls.class, Verbs.class, SoftProvider.class)) {
            classes(one).forEach(name -> fields(name).forEach(names::add));
        }
        return names;
    }

    /** Returns the names of the classes of the library that contains a class. */
    private static List<String> classes(Class<?> one) {
        try {
            Path origin = Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
            if (Files.isDirectory(origin)) {
                return classes(origin);
            }
            try (FileSystem jar = FileSystems.newFileSystem(origin)) {
                return classes(jar.getPath("/"));
            }
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> classes(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.map(file -> root.relativize(file).toString())
                    .filter(file -> file.startsWith("io") && file.endsWith(SUFFIX) && !file.contains("-info"))
                    .map(file -> file.substring(0, file.length() - SUFFIX.length()).replace('/', '.')
                            .replace('\\', '.'))
                    .filter(name -> !name.startsWith(GENERATED)).toList();
        }
    }

    private static Stream<String> fields(String className) {
        Class<?> declaring;
        try {
            declaring = Class.forName(className, false, GrowingFields.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
        return Stream.of(declaring.getDeclaredFields()).filter(field -> !field.isSynthetic())
                .filter(GrowingFields::mayGrow)
                .map(field -> className.substring("io.jverbs.".length()) + "." + field.getName());
    }

    private static boolean mayGrow(Field field) {
        Class<?> type = field.getType();
        if (Path.class.isAssignableFrom(type)) {
            // a Path is an Iterable of its names and does not grow
            return false;
        }
        boolean isReplaceable = type.isArray() && !Modifier.isFinal(field.getModifiers());
        boolean isLink = type == field.getDeclaringClass() && !Modifier.isStatic(field.getModifiers());
        return isReplaceable || isLink || GROWING.stream().anyMatch(growing -> growing.isAssignableFrom(type));
    }
}
