package io.jverbs.injection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.io.InputStream;
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
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The classes of the project, loaded by a class loader of their own, with a call of {@link ErrorInjector#at} before
 * each instruction that can throw an Error.
 *
 * @param points the injection points
 * @param loader the class loader
 */
public record InstrumentedClasses(InjectionPoints points, ClassLoader loader) {
    private static final long ROUND_SECONDS = 60;
    /** An Error is thrown at one in so many points. */
    private static final int ONE_IN = Integer.getInteger("jverbs.injection.oneIn", 1);

    /**
     * Instruments classes and makes a class loader for them.
     *
     * @param files the class files of the classes to instrument
     * @param known the class files of other classes that they call
     */
    public static InstrumentedClasses of(List<byte[]> files, List<byte[]> known) {
        InjectionPoints points = new InjectionPoints(files, known);
        return new InstrumentedClasses(points, new InstrumentedLoader(points.instrumented()));
    }

    /**
     * Returns the class file of a class.
     *
     * @param near a class of the same module
     * @param name the internal name of the class
     */
    public static byte[] file(Class<?> near, String name) throws IOException {
        try (InputStream in = near.getResourceAsStream("/" + name + ".class")) {
            return in.readAllBytes();
        }
    }

    /**
     * Returns the class files of a package.
     *
     * @param near a class of the same module
     * @param folder the internal name of the package
     */
    public static List<byte[]> filesOf(Class<?> near, String folder) throws Exception {
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
    public AutoCloseable open(Class<?> scenario, Object... arguments) throws Exception {
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
        // a round may hang
        thread.setDaemon(true);
        return thread;
    }

    /**
     * The result of throwing an Error at injection points.
     *
     * @param reached the number of points that the scenario reaches
     * @param points those at which an Error was thrown
     * @param errors descriptions of the conditions that were violated, one for each point
     */
    public record Outcome(int reached, BitSet points, List<String> errors) {
        /** Prints at how many points of what an Error was thrown. */
        public Outcome report(String what) {
            System.out.println("Errors were injected at " + points.cardinality() + " points of " + what);
            return this;
        }

        /** Fails if a condition was violated, or if fewer than a minimum number of points were reached. */
        public void check(int min) {
            assertTrue(reached >= min, "only " + reached + " points were reached, expected at least " + min);
            assertTrue(errors.isEmpty(), () -> errors.size() + " of " + points.cardinality() + " points:\n"
                    + String.join("\n", errors));
        }
    }

    /**
     * Opens a scenario, throws an Error at each point as {@link #errorAtEachPoint(IntFunction)}, and closes it.
     *
     * @param scenario a class with one constructor, an IntFunction and AutoCloseable
     * @param arguments those of the constructor
     */
    public Outcome errorAtEachPoint(Class<?> scenario, Object... arguments) throws Exception {
        try (AutoCloseable opened = open(scenario, arguments)) {
            return errorAtEachPoint((IntFunction<?>) opened);
        }
    }

    /** Returns one in {@link #ONE_IN} of the points that a scenario reaches. */
    private static BitSet chosen(BitSet reached) {
        int[] points = reached.stream().toArray();
        BitSet chosen = new BitSet();
        for (int i = Math.floorMod(Long.getLong("jverbs.test.seed", 0), ONE_IN); i < points.length; i += ONE_IN) {
            chosen.set(points[i]);
        }
        return chosen;
    }

    /**
     * Runs a scenario without an Error, and then once for each of one in {@link #ONE_IN} injection points that it
     * reached, with an Error there.
     *
     * @param rounds the scenario: takes a point, or a negative number for none, and returns a description of violated
     *        conditions, or an empty string
     */
    public Outcome errorAtEachPoint(IntFunction<?> rounds) throws Exception {
        List<String> errors = new ArrayList<>();
        BitSet reached;
        BitSet chosen;
        ExecutorService executor = Executors.newSingleThreadExecutor(this::thread);
        try {
            runTwice(executor, rounds);
            reached = ErrorInjector.takeReached();
            chosen = chosen(reached);
            for (int point = chosen.nextSetBit(0); point >= 0; point = chosen.nextSetBit(point + 1)) {
                errors.addAll(described(point, run(executor, rounds, point)));
            }
        } finally {
            executor.shutdownNow();
        }
        return new Outcome(reached.cardinality(), chosen, errors);
    }

    /** Runs a scenario twice without an Error, because the first round also executes one-time initialization. */
    private void runTwice(ExecutorService executor, IntFunction<?> rounds) throws Exception {
        for (int i = 0; i < 2; i++) {
            ErrorInjector.takeReached();
            assertEquals("", run(executor, rounds, -1), "without an Error");
        }
    }

    /**
     * Runs a scenario with an Error at each of some injection points, and then again, with a second Error at each point
     * that is reached only because of the first one.
     *
     * @param rounds the scenario, as in {@link #errorAtEachPoint}
     * @param first selects the first points by their descriptions
     */
    public Outcome errorAfterError(IntFunction<?> rounds, Predicate<String> first) throws Exception {
        List<String> errors = new ArrayList<>();
        BitSet all = new BitSet();
        ExecutorService executor = Executors.newSingleThreadExecutor(this::thread);
        try {
            runTwice(executor, rounds);
            BitSet healthy = ErrorInjector.takeReached();
            for (int point = healthy.nextSetBit(0); point >= 0; point = healthy.nextSetBit(point + 1)) {
                if (first.test(points.description(point))) {
                    BitSet following = reachedAfter(executor, rounds, point, errors);
                    following.andNot(healthy);
                    all.or(following);
                    for (int next = following.nextSetBit(0); next >= 0; next = following.nextSetBit(next + 1)) {
                        ErrorInjector.armAfterError(next);
                        errors.addAll(described(next, run(executor, rounds, point)));
                    }
                }
            }
        } finally {
            executor.shutdownNow();
        }
        return new Outcome(all.cardinality(), all, errors);
    }

    private BitSet reachedAfter(ExecutorService executor, IntFunction<?> rounds, int point, List<String> errors)
            throws Exception {
        ErrorInjector.record();
        errors.addAll(described(point, run(executor, rounds, point)));
        return ErrorInjector.takeReached();
    }

    private List<String> described(int point, String found) {
        return found.isEmpty() ? List.of() : List.of(points.description(point) + ": " + found);
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
