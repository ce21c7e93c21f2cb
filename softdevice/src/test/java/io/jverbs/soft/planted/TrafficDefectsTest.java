package io.jverbs.soft.planted;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Verbs;
import io.jverbs.contract.VerbsContract;
import io.jverbs.soft.SoftProvider;
import io.jverbs.soft.traffic.Traffic;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;

/** Random traffic finds each of these defects and reports few steps that reproduce it; without a defect it passes. */
final class TrafficDefectsTest {
    private static final int LEAST_DEFECTS = 30;
    /** How many seeds are tried; a build runs far more. */
    private static final int SEEDS = 1_500;
    private static final int MOST_STEPS = 16;

    private static final List<PlantedDefect> DEFECTS = DefectList.of("traffic.txt");

    static Stream<PlantedDefect> defects() {
        return DEFECTS.stream();
    }

    private static String find(Map<String, byte[]> changed) throws Exception {
        IsolatedLoader loader = new IsolatedLoader(changed);
        Thread thread = Thread.currentThread();
        ClassLoader former = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            return (String) loader.loadClass(Traffic.class.getName()).getMethod("find", long.class, long.class)
                    .invoke(null, 1L, SEEDS);
        } finally {
            thread.setContextClassLoader(former);
        }
    }

    @Test
    void thereAreAtLeastThirtyDefects() {
        assertTrue(DEFECTS.size() >= LEAST_DEFECTS, () -> "only " + DEFECTS.size() + " planted defects");
    }

    @Test
    @Tag("variants")
    void unchangedSourcesPass() throws Exception {
        assertNull(find(Map.of()));
    }

    @ParameterizedTest
    @MethodSource("defects")
    @Tag("variants")
    void randomTrafficFindsDefectInFewSteps(PlantedDefect defect) throws Exception {
        try (DefectCompiler compiler = new DefectCompiler(
                Stream.of(Verbs.class, SoftProvider.class, VerbsContract.class, Logger.class)
                        .map(PlantedDefectsTest::origin).toList())) {
            String source = Files.readString(PlantedDefectsTest.file(defect.file()));
            String found = find(compiler.compile(defect.className(), defect.plantIn(source)));
            assertNotNull(found, () -> "nothing was found: " + defect.sentence());
            long steps = found.lines().filter(line -> line.startsWith("  step ")).count();
            assertTrue(steps <= MOST_STEPS, () -> steps + " steps: " + found);
            assertTrue(found.contains("-Djverbs.traffic.seed="), found);
        }
    }
}
