package io.jverbs.soft.injection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.jverbs.RdmaContext;
import io.jverbs.soft.transport.SoftQp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/**
 * The classes of the project, loaded by a class loader of their own, with a call of {@link ErrorInjector#at} before
 * each instruction that can throw an Error.
 *
 * @param points the injection points
 * @param loader the class loader
 */
record InstrumentedClasses(InjectionPoints points, ClassLoader loader) {
    private static final long ROUND_SECONDS = 60;
    static final List<String> PACKAGES = Stream
            .of("transport", "transport/rc", "transport/uc", "transport/ud", "transport/local",
                    "transport/connection", "protocol", "congestion", "memory", "queue", "wire", "fabric",
                    "fabric/udp", "simulation")
            .map("io/jverbs/soft/"::concat).toList();
    private static final List<String> CLASSES = List.of("io/jverbs/soft/device/SoftDataPath",
            "io/jverbs/soft/device/EventQueue", "io/jverbs/QueuePair", "io/jverbs/CompletionQueue",
            "io/jverbs/SharedReceiveQueue");
    private static final List<String> KNOWN = List.of("io/jverbs/WorkRequest", "io/jverbs/SendWorkRequest",
            "io/jverbs/ReceiveWorkRequest", "io/jverbs/WorkCompletions", "io/jverbs/SgeArray", "io/jverbs/Resource",
            "io/jverbs/PostFailure", "io/jverbs/spi/DataPath");
    private static final List<String> CONTROL = List.of("io/jverbs/RdmaContext", "io/jverbs/ContextObjects",
            "io/jverbs/RemainingObjects", "io/jverbs/Resource",
            "io/jverbs/ProtectionDomain", "io/jverbs/CompletionChannel", "io/jverbs/CompletionQueue",
            "io/jverbs/MemoryRegion", "io/jverbs/MemoryWindow", "io/jverbs/SharedReceiveQueue",
            "io/jverbs/AddressHandle", "io/jverbs/QueuePair", "io/jverbs/EventCounter");

    /** Returns the classes of the data path. */
    static InstrumentedClasses dataPath() throws Exception {
        return of(PACKAGES, CLASSES, KNOWN);
    }

    /** Returns the classes of the control path: the packages of the device, and the API classes of its objects. */
    static InstrumentedClasses controlPath() throws Exception {
        List<String> packages = new ArrayList<>(PACKAGES);
        packages.add("io/jverbs/soft/device");
        return of(packages, CONTROL, List.of());
    }

    /** Returns the classes of a layer that is before the device: those of some packages of the API's module. */
    static InstrumentedClasses layer(String... folders) throws Exception {
        List<byte[]> layer = new ArrayList<>();
        for (String folder : folders) {
            layer.addAll(filesOf(RdmaContext.class, folder));
        }
        List<byte[]> known = new ArrayList<>();
        for (String name : PACKAGES) {
            known.addAll(filesOf(SoftQp.class, name));
        }
        for (String name : KNOWN) {
            known.add(file(name));
        }
        InjectionPoints points = new InjectionPoints(layer, known);
        return new InstrumentedClasses(points, new InstrumentedLoader(points.instrumented()));
    }

    private static InstrumentedClasses of(List<String> packages, List<String> classes, List<String> others)
            throws Exception {
        List<byte[]> files = new ArrayList<>();
        for (String folder : packages) {
            files.addAll(filesOf(SoftQp.class, folder));
        }
        for (String name : classes) {
            files.add(file(name));
        }
        List<byte[]> known = new ArrayList<>();
        for (String name : others) {
            known.add(file(name));
        }
        InjectionPoints points = new InjectionPoints(files, known);
        return new InstrumentedClasses(points, new InstrumentedLoader(points.instrumented()));
    }

    private static byte[] file(String name) throws IOException {
        Class<?> near = name.startsWith("io/jverbs/soft/") ? SoftQp.class : RdmaContext.class;
        return near.getResourceAsStream("/" + name + ".class").readAllBytes();
    }

    private static List<byte[]> filesOf(Class<?> near, String folder) throws Exception {
        URI home = near.getProtectionDomain().getCodeSource().getLocation().toURI();
        if (Files.isDirectory(Path.of(home))) {
            return filesIn(Path.of(home).resolve(folder));
        }
        try (FileSystem jar = FileSystems.newFileSystem(URI.create("jar:" + home), Map.of())) {
            return filesIn(jar.getPath(folder));
        }
    }

    private static List<byte[]> filesIn(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(path -> path.toString().endsWith(".class")
                    && !path.endsWith("package-info.class")).sorted().map(InstrumentedClasses::read).toList();
        }
    }

    private static byte[] read(Path path) {
        try {
            return Files.readAllBytes(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Creates a scenario from instrumented classes, by its only constructor. The context class loader of the thread is
     * restored afterwards.
     */
    AutoCloseable open(Class<?> scenario, Object... arguments) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader former = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            Constructor<?> constructor = loader.loadClass(scenario.getName()).getConstructors()[0];
            return (AutoCloseable) constructor.newInstance(arguments);
        } finally {
            thread.setContextClassLoader(former);
        }
    }

    private Thread thread(Runnable rounds) {
        Thread thread = new Thread(rounds, "rounds");
        thread.setContextClassLoader(loader);
        return thread;
    }

    /**
     * The result of throwing an Error at each injection point.
     *
     * @param reached the points that the scenario reaches
     * @param errors descriptions of the conditions that were violated, one for each point
     */
    record Outcome(BitSet reached, List<String> errors) {
        /** Fails if a condition was violated, or if fewer than a minimum number of points were reached. */
        void check(int min) {
            int count = reached.cardinality();
            assertTrue(count >= min, "only " + count + " points were reached, expected at least " + min);
            assertTrue(errors.isEmpty(), () -> errors.size() + " of " + count + " points:\n"
                    + String.join("\n", errors));
        }
    }

    /**
     * Runs a scenario without an Error, and then once for each injection point that it reached, with an Error there.
     *
     * @param rounds the scenario: takes a point, or a negative number for none, and returns a description of violated
     *        conditions, or an empty string
     */
    Outcome errorAtEachPoint(IntFunction<?> rounds) throws Exception {
        List<String> errors = new ArrayList<>();
        BitSet reached;
        try (ExecutorService executor = Executors.newSingleThreadExecutor(this::thread)) {
            // twice, because the first round also executes one-time initialization
            for (int i = 0; i < 2; i++) {
                ErrorInjector.takeReached();
                assertEquals("", run(executor, rounds, -1), "without an Error");
            }
            reached = ErrorInjector.takeReached();
            for (int point = reached.nextSetBit(0); point >= 0; point = reached.nextSetBit(point + 1)) {
                String found = run(executor, rounds, point);
                if (!found.isEmpty()) {
                    errors.add(points.description(point) + ": " + found);
                }
            }
        }
        return new Outcome(reached, errors);
    }

    /** Runs one round with an Error at a point, or without one if the number is negative; fails if it hangs. */
    private String run(ExecutorService executor, IntFunction<?> rounds, int point) throws Exception {
        try {
            return (String) executor.submit(() -> rounds.apply(point)).get(ROUND_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            StringBuilder stacks = new StringBuilder();
            Thread.getAllStackTraces().forEach((thread, stack) -> {
                if (Stream.of(stack).anyMatch(frame -> frame.getClassName().startsWith("io.jverbs"))) {
                    stacks.append(thread).append('\n');
                    Stream.of(stack).limit(12).forEach(frame -> stacks.append("    ").append(frame).append('\n'));
                }
            });
            return fail("the round without completion in " + ROUND_SECONDS + " s had "
                    + (point < 0 ? "no Error" : "an Error at " + points.description(point)) + "\n" + stacks);
        }
    }
}
