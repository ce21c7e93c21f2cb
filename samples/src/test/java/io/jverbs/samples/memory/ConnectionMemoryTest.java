package io.jverbs.samples.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.samples.InOtherProcesses;
import io.jverbs.samples.Run;
import io.jverbs.samples.SamplesProcess;
import io.jverbs.samples.readme.Documents;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** In JVMs of their own: what other tests leave to the garbage collector would be counted. */
@InOtherProcesses
class ConnectionMemoryTest {
    private static final Pattern MEASURED = Pattern
            .compile("(?m)^ *(\\d+) +([\\d.]+) KiB +[\\d.]+ us +(\\d+) +[\\d.]+ us$");
    private static final int LEAST_PER_SECOND = 1000;
    /** The relative tolerance, as object layouts differ between JVMs. */
    private static final double TOLERANCE = 0.25;

    @Test
    void aConnectionWithinTheJvmCostsWhatTheBenchmarksPageStates() throws Exception {
        assertCosts("JVM", 2000, List.of(), "soft");
    }

    @Test
    void eachOfTenThousandConnectionsOverUdpCostsWhatTheBenchmarksPageStatesAndAThousandAreMadeInASecond()
            throws Exception {
        int perSecond = assertCosts("UDP", 10_000, List.of("--peer", "soft:127.0.61.2?fabric=wire"),
                "soft:127.0.61.1?fabric=wire");
        assertTrue(perSecond >= LEAST_PER_SECOND, perSecond + " connections a second");
    }

    /** Returns the number of connections that were made in a second. */
    private static int assertCosts(String path, int count, List<String> options, String device) throws Exception {
        List<String> command = new ArrayList<>(List.of("cm-memory", "-n", Integer.toString(count)));
        command.addAll(options);
        Run run = SamplesProcess.sample(List.of("-Djverbs.device=" + device), command);

        assertEquals(0, run.status(), run.err());
        Matcher row = MEASURED.matcher(run.out());
        assertTrue(row.find(), run.out());
        assertEquals(count, Integer.parseInt(row.group(1)));
        double measured = Double.parseDouble(row.group(2));
        Matcher page = Pattern.compile("(?m)^" + path + " +([\\d.]+) KiB")
                .matcher(Documents.read("docs/benchmarks.md"));
        assertTrue(page.find());
        double stated = Double.parseDouble(page.group(1));
        assertTrue(Math.abs(measured - stated) <= TOLERANCE * stated,
                "the page states " + stated + " KiB, measured were " + measured);
        return Integer.parseInt(row.group(3));
    }

    @Test
    void aWrongSelectorOfThePeerIsRefused() {
        Run run = Run.of("cm-memory", "--peer", "soft:");

        assertEquals(2, run.status());
        assertTrue(run.err().contains("--peer: "), run.err());
    }
}
