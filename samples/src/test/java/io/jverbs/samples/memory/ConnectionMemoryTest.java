package io.jverbs.samples.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.samples.InOtherProcesses;
import io.jverbs.samples.Run;
import io.jverbs.samples.SamplesProcess;
import io.jverbs.samples.readme.Documents;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** In JVMs of their own: what other tests leave to the garbage collector would be counted. */
@InOtherProcesses
class ConnectionMemoryTest {
    private static final Pattern MEASURED = Pattern
            .compile("(?m)^ *2000 +([\\d.]+) KiB +[\\d.]+ us +(\\d+) +[\\d.]+ us$");
    /** The relative tolerance, as object layouts differ between JVMs. */
    private static final double TOLERANCE = 0.25;

    @Test
    void aConnectionWithinTheJvmCostsWhatTheBenchmarksPageStates() throws Exception {
        assertCosts("JVM", List.of("cm-memory", "-n", "2000"), "soft");
    }

    @Test
    void aConnectionOverUdpCostsWhatTheBenchmarksPageStates() throws Exception {
        assertCosts("UDP", List.of("cm-memory", "-n", "2000", "--peer", "soft:127.0.61.2?fabric=wire"),
                "soft:127.0.61.1?fabric=wire");
    }

    private static void assertCosts(String path, List<String> options, String device) throws Exception {
        Run run = SamplesProcess.sample(List.of("-Djverbs.device=" + device), options);

        assertEquals(0, run.status(), run.err());
        Matcher row = MEASURED.matcher(run.out());
        assertTrue(row.find(), run.out());
        double measured = Double.parseDouble(row.group(1));
        Matcher page = Pattern.compile("(?m)^" + path + " +([\\d.]+) KiB")
                .matcher(Documents.read("docs/benchmarks.md"));
        assertTrue(page.find());
        double stated = Double.parseDouble(page.group(1));
        assertTrue(Math.abs(measured - stated) <= TOLERANCE * stated,
                "the page states " + stated + " KiB, measured were " + measured);
    }

    @Test
    void aWrongSelectorOfThePeerIsRefused() {
        Run run = Run.of("cm-memory", "--peer", "soft:");

        assertEquals(2, run.status());
        assertTrue(run.err().contains("--peer: "), run.err());
    }
}
