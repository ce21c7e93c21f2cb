package io.jverbs.samples.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.jverbs.samples.interop.process.InteropSettings;
import io.jverbs.samples.interop.process.Outcome;
import io.jverbs.samples.interop.process.RdmacmProgram;
import io.jverbs.samples.interop.process.SampleThread;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * The sample rstream or riostream with the C program of the same name, each as server and as client. Both print a
 * heading, and a row for a test.
 */
final class StreamPairings {
    /** Neither has a line that says that it listens, but they print the heading then. */
    private static final String LISTENS = "usec/xfer";
    /** The columns before the time: the name, the sizes and the numbers of transfers. */
    private static final int COLUMNS = 5;

    private final String program;
    private final InteropSettings settings;
    private int nextPort;

    /** Creates the pairings of a program, which use a port each. */
    StreamPairings(String program, InteropSettings settings, int firstPort) {
        this.program = program;
        this.settings = settings;
        this.nextPort = firstPort;
    }

    /** Returns two tests for each text of options. */
    Stream<DynamicTest> tests(String... options) {
        return Stream.of(options).flatMap(each -> Stream.of(
                dynamicTest("java server, c client: " + each, () -> serveProgram(each)),
                dynamicTest("c server, java client: " + each, () -> serveSample(each))));
    }

    private List<String> words(String side, String address, int port, String options) {
        List<String> words = new ArrayList<>(List.of(program, side, address, "-p", Integer.toString(port)));
        words.addAll(List.of(options.split(" ")));
        return words;
    }

    private static SampleThread sample(List<String> words) {
        return SampleThread.start(words.toArray(String[]::new));
    }

    private void serveProgram(String options) throws Exception {
        int port = nextPort++;
        SampleThread server = sample(words("-b", settings.sampleAddress(), port, options));
        server.awaitLine(LISTENS);
        try (RdmacmProgram client = RdmacmProgram.start(settings.programPrefix(),
                words("-s", settings.sampleAddress(), port, options))) {
            Outcome ended = client.await();
            check(server.await(), ended);
        }
    }

    private void serveSample(String options) throws Exception {
        int port = nextPort++;
        try (RdmacmProgram server = RdmacmProgram.start(settings.programPrefix(),
                words("-b", settings.programAddress(), port, options))) {
            server.awaitLine(LISTENS);
            Outcome ended = sample(words("-s", settings.programAddress(), port, options)).await();
            check(server.await(), ended);
        }
    }

    /** Checks that both sides have run the same test to its end. */
    static void check(Outcome server, Outcome client) {
        String outputs = server.describe("the server") + client.describe("the client") + "\n ";
        for (Outcome each : List.of(server, client)) {
            assertEquals("0", each.status(), () -> "exit status" + outputs);
            assertTrue(each.lines().getLast().startsWith("custom "), () -> "last line" + outputs);
        }
        assertEquals(measured(server), measured(client), () -> "sizes and numbers of transfers" + outputs);
    }

    private static List<String> measured(Outcome outcome) {
        return List.of(outcome.lines().getLast().split(" +")).subList(0, COLUMNS);
    }
}
