package io.jverbs.soft.injection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.injection.InjectionPoints;
import io.jverbs.soft.transport.SoftQp;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which instructions are injection points, and of which classes. */
final class InjectionPointsTest {
    private static final String ROOT = "io/jverbs/soft/";
    /** The package of the control verbs, which only {@link SoftClasses#controlPath} instruments. */
    private static final Set<String> EXCLUDED = Set.of("device", "management",
            "management/communication", "management/message");

    /** A type all of whose implementations are known. */
    private sealed interface Sealed permits Implementations {
        int quiet();

        Object allocating();
    }

    private abstract static sealed class Implementations implements Sealed permits One, Other {
        @Override
        public int quiet() {
            return 1;
        }
    }

    private static final class One extends Implementations {
        @Override
        public Object allocating() {
            return null;
        }
    }

    private static final class Other extends Implementations {
        @Override
        public int quiet() {
            return 2;
        }

        @Override
        public Object allocating() {
            return new int[1];
        }
    }

    private interface Open {
        int quiet();
    }

    @SuppressWarnings("unused")
    private static final class Caller {
        int callQuiet(Sealed sealed) {
            return sealed.quiet();
        }

        Object callAllocating(Sealed sealed) {
            return sealed.allocating();
        }

        int callOpen(Open open) {
            return open.quiet();
        }

        void callAsserting(Object object) {
            assertNothing(object);
        }

        private static void assertNothing(Object object) {
            assert object.hashCode() != 0 : "the hash code of " + object;
        }
    }

    private static byte[] file(Class<?> type) throws IOException {
        String name = type.getName();
        try (InputStream in = type.getResourceAsStream(name.substring(name.lastIndexOf('.') + 1) + ".class")) {
            return in.readAllBytes();
        }
    }

    @Test
    void quietCallsAndAssertionsAreNoInjectionPoints() throws IOException {
        InjectionPoints points = new InjectionPoints(List.of(file(Caller.class)), List.of(file(Sealed.class),
                file(Implementations.class), file(One.class), file(Other.class), file(Open.class)));
        assertTrue(points.toString().startsWith("2 injection points, 0 allocations and 2 calls"), points::toString);
        assertTrue(points.description(0).endsWith("Sealed.allocating"), () -> points.description(0));
        assertTrue(points.description(1).endsWith("Open.quiet"), () -> points.description(1));
    }

    @Test
    void everyPackageOfTheDataPathIsInstrumented() throws Exception {
        Path home = Path.of(SoftQp.class.getProtectionDomain().getCodeSource().getLocation().toURI()).resolve(ROOT);
        Set<String> found = new TreeSet<>();
        try (Stream<Path> files = Files.walk(home)) {
            files.filter(file -> file.toString().endsWith(".class"))
                    .map(file -> home.relativize(file.getParent()).toString().replace('\\', '/'))
                    .filter(name -> !name.isEmpty() && !EXCLUDED.contains(name)).forEach(found::add);
        }
        assertEquals(found, SoftClasses.PACKAGES.stream().map(name -> name.substring(ROOT.length()))
                .collect(Collectors.toCollection(TreeSet::new)));
    }
}
