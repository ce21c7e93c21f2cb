package io.jverbs.samples.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.samples.InOtherProcesses;
import io.jverbs.samples.Run;
import io.jverbs.samples.SamplesProcess;
import io.jverbs.samples.readme.Documents;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** In a JVM of its own: what other tests leave to the garbage collector would be counted. */
@InOtherProcesses
class QueuePairMemoryTest {
    private static final Pattern ROW = Pattern.compile("(?m)^ *(\\d+ \\+ \\d+) +([\\d.]+) KiB .*$");
    /** The relative tolerance, as object layouts differ between JVMs. */
    private static final double TOLERANCE = 0.25;

    @Test
    void anIdleQueuePairCostsWhatTheBenchmarksPageStates() throws Exception {
        Run run = SamplesProcess.sample(List.of("-Djverbs.device=soft"), List.of("qp-memory", "-n", "2000"));

        assertEquals(0, run.status(), run.err());
        Map<String, Double> measured = costs(run.out());
        Map<String, Double> stated = costs(Documents.read("docs/benchmarks.md"));
        assertEquals(2, measured.size(), run.out());
        assertEquals(measured.keySet(), stated.keySet());
        measured.forEach((shape, kib) -> assertTrue(Math.abs(kib - stated.get(shape)) <= TOLERANCE * stated.get(shape),
                shape + " requests: the page states " + stated.get(shape) + " KiB, measured were " + kib));
    }

    private static Map<String, Double> costs(String text) {
        Map<String, Double> costs = new LinkedHashMap<>();
        ROW.matcher(text).results()
                .forEach((MatchResult row) -> costs.put(row.group(1), Double.parseDouble(row.group(2))));
        return costs;
    }
}
