package io.jverbs.soft.planted;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.jverbs.Verbs;
import io.jverbs.VerbsException;
import io.jverbs.contract.VerbsContract;
import io.jverbs.soft.SoftProvider;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;

/**
 * Checks that the contract suite, and the tests of the connection manager, the transports, congestion control and
 * simulated networks, detect defects. Each planted defect changes a copy of one source file of the device or of the
 * API. The test that is named with it must fail then, and must pass on the unchanged sources in the same environment. A
 * build without the profile "full" plants one in sixteen defects; the seed of the build decides with which one it
 * begins.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PlantedDefectsTest {
    private static final int LEAST_DEFECTS = 60;
    private static final int LEAST_DEFECTS_OF_CONNECTIONS = 25;
    /** How long contract tests wait for an event that a defect may prevent; long enough without a defect. */
    private static final String DEADLINE_MILLIS = "1000";
    private static final List<Path> SOURCES = List.of(Path.of("src/main/java"), Path.of("../jverbs/src/main/java"));

    /** One in so many defects is planted. */
    private static final int ONE_IN = Integer.getInteger("jverbs.planted.oneIn", 1);

    private final List<PlantedDefect> all = DefectList.all();
    private final List<PlantedDefect> defects = chosen(all);
    private final Map<String, String> propertiesBefore = new HashMap<>();
    private final DefectCompiler compiler = new DefectCompiler(Stream
            .of(Verbs.class, SoftProvider.class, VerbsContract.class, Logger.class)
            .map(PlantedDefectsTest::origin).toList());
    private final ExecutorService workers = Executors.newFixedThreadPool(
            Math.clamp(Runtime.getRuntime().availableProcessors(), 1, 4), Thread.ofPlatform().daemon().factory());
    private Map<String, List<ContractRun.Result>> unchanged;

    private static List<PlantedDefect> chosen(List<PlantedDefect> all) {
        int first = Math.floorMod(Long.getLong("jverbs.test.seed", 0), ONE_IN);
        return IntStream.range(0, all.size()).filter(i -> i % ONE_IN == first).mapToObj(all::get).toList();
    }

    static Path origin(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeAll
    void runTestsOnUnchangedSources(@TempDir Path reports) throws InterruptedException {
        set("jverbs.contract.fixtures", null);
        set("jverbs.contract.report", reports.toString());
        Set<String> tests = new TreeSet<>(defects.stream().map(PlantedDefect::test).toList());
        unchanged = ContractRun.all(new IsolatedLoader(Map.of()), tests);
        // run those that failed once more: the machine may have been busy for a second
        tests.removeIf(test -> passes(unchanged.get(test)));
        unchanged.putAll(ContractRun.all(new IsolatedLoader(Map.of()), tests));
        // not before: without a defect, what tests wait for happens, also late on a busy machine
        set("jverbs.contract.deadlineMillis", DEADLINE_MILLIS);
    }

    private static boolean passes(List<ContractRun.Result> results) {
        return results != null && results.stream().allMatch(ContractRun.Result::passed);
    }

    private void set(String property, String value) {
        propertiesBefore.put(property, System.getProperty(property));
        restore(property, value);
    }

    private static void restore(String property, String value) {
        if (value == null) {
            System.clearProperty(property);
        } else {
            System.setProperty(property, value);
        }
    }

    @AfterAll
    void restoreEnvironment() throws IOException {
        workers.shutdownNow();
        propertiesBefore.forEach(PlantedDefectsTest::restore);
        compiler.close();
    }

    @Test
    void thereAreAtLeastSixtyDefectsWithDistinctTitles() {
        assertTrue(all.size() >= LEAST_DEFECTS, () -> "only " + all.size() + " planted defects");
        int ofConnections = DefectList.of("connection-manager.txt").size();
        assertTrue(ofConnections >= LEAST_DEFECTS_OF_CONNECTIONS, () -> "only " + ofConnections + " of connections");
        Map<String, PlantedDefect> bySentence = new HashMap<>();
        for (PlantedDefect defect : all) {
            assertNull(bySentence.put(defect.sentence(), defect), () -> "two defects have the title of " + defect);
        }
    }

    @TestFactory
    Stream<DynamicTest> testFailsForEachPlantedDefect() {
        Map<PlantedDefect, Future<?>> checks = new LinkedHashMap<>();
        for (PlantedDefect defect : defects) {
            checks.put(defect, workers.submit(() -> {
                assertFound(defect);
                return null;
            }));
        }
        return defects.stream().map(defect -> DynamicTest.dynamicTest(defect.title(), () -> await(checks.get(defect))));
    }

    private static void await(Future<?> check) throws Throwable {
        try {
            check.get();
        } catch (ExecutionException e) {
            throw e.getCause();
        }
    }

    private void assertFound(PlantedDefect defect) throws Exception {
        List<ContractRun.Result> control = unchanged.getOrDefault(defect.test(), List.of());
        assertFalse(control.isEmpty(), () -> "there is no test " + defect.test());
        assertTrue(passes(control), () -> "the test fails on the unchanged sources: " + control);
        String source = Files.readString(file(defect.file()));
        Map<String, byte[]> changed = compiler.compile(defect.className(), defect.plantIn(source));
        List<ContractRun.Result> results = ContractRun.untilFailure(new IsolatedLoader(changed), defect.test());
        List<ContractRun.Result> failed = results.stream().filter(result -> !result.passed()).toList();
        assertFalse(failed.isEmpty(), () -> "the test passes in spite of the defect: " + results);
        if (failed.stream().noneMatch(result -> isFinding(result.failure()))) {
            fail("the test failed for another reason than the behaviour of the device: " + failed,
                    failed.getFirst().failure());
        }
    }

    static Path file(String below) {
        return SOURCES.stream().map(root -> root.resolve(below)).filter(Files::exists).findFirst()
                .orElseThrow(() -> new IllegalStateException("there is no source file " + below));
    }

    /**
     * Returns whether a failure is about the behaviour of the device: a failed assertion, an unexpected error of a
     * verb, or a timeout.
     */
    static boolean isFinding(Throwable failure) {
        if (failure instanceof AssertionError || failure instanceof TimeoutException) {
            return true;
        }
        // the class is one of the isolated loader
        if (failure != null && failure.getClass().getName().equals(VerbsException.class.getName())) {
            return true;
        }
        // exceptions of an End: the message starts with the class name of the cause unless that is a VerbsException
        return failure != null && failure.getClass().getName().startsWith("io.jverbs.contract.end.")
                && !failure.getMessage()
                        .matches("java\\.lang\\.\\w*(Class|Method|Field|Link|Verify|Initializer)\\w*Error.*");
    }
}
