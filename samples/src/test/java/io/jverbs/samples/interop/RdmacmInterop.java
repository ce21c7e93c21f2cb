package io.jverbs.samples.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.jverbs.samples.interop.process.InteropSettings;
import io.jverbs.samples.interop.process.Outcome;
import io.jverbs.samples.interop.process.RdmacmProgram;
import io.jverbs.samples.interop.process.SampleThread;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The samples of {@code io.jverbs.samples.rdmacm} but for rping with the programs of rdmacm-utils, each as server and
 * as client. It needs rxe0: {@code .ci/rxe-samples} runs it in a virtual machine, and its name keeps it out of the
 * build's tests.
 */
class RdmacmInterop {
    private static final int FIRST_PORT = 18_900;
    /**
     * How often both sides are started until the server listens in time; only the client can tell, since these programs
     * do not print it. The server starts again too, as it may have got some of the client's requests.
     */
    private static final int ATTEMPTS = 8;
    private static final long PAUSE_MILLIS = 500;
    private static final String CONSUMER_REJECT = "cmatose: event: RDMA_CM_EVENT_REJECTED, error: 28";

    private static int nextPort = FIRST_PORT;

    private final InteropSettings settings = InteropSettings.ofSystemProperties();
    /** The lines of each side with each options, of the first program of that side that has run: a sample or not. */
    private final Map<String, List<String>> printed = new HashMap<>();

    /** How both sides ended. */
    private record Sides(Outcome server, Outcome client) {}

    /**
     * A pairing.
     *
     * @param server the sample that is the server, whose C program has the same name with underscores
     * @param client the sample that is the client
     * @param options the options of both sides
     * @param further the options of the client only
     * @param line a line that both sides print at the end
     */
    private record Programs(String server, String client, String options, String further, String line) {
        static Programs same(String name, String options) {
            return new Programs(name, name, options, "", "return status 0");
        }

        List<String> words(boolean isServer, String address) {
            List<String> words = new ArrayList<>(List.of(isServer ? server : client));
            if (isServer) {
                words.addAll(server.equals("rdma-server") ? List.of("-s", address) : List.of("-b", address));
            } else {
                words.addAll(List.of("-s", address));
            }
            if (!options.isEmpty()) {
                words.addAll(List.of(options.split(" ")));
            }
            if (!isServer && !further.isEmpty()) {
                words.addAll(List.of(further.split(" ")));
            }
            return words;
        }
    }

    @TestFactory
    Stream<DynamicTest> bothSidesTransferAllMessagesAndPrintTheLinesOfTheCProgram() {
        return Stream.of(
                Programs.same("ucmatose", "-p %d"), Programs.same("ucmatose", "-p %d -c 4 -C 5 -S 5000"),
                Programs.same("ucmatose", "-p %d -C 0"), Programs.same("ucmatose", "-p %d -m -t 8 -a 14 -f ip -P tcp"),
                Programs.same("udaddy", ""), Programs.same("udaddy", "-c 3 -C 4 -S 1000"),
                Programs.same("udaddy", "-C 0 -t 8 -f ip -P udp"),
                new Programs("rdma-server", "rdma-client", "-p %d", "", "end 0"))
                .flatMap(each -> Stream.of(
                        dynamicTest("java server, c client: " + each.client + " " + each.options,
                                () -> serveProgram(each)),
                        dynamicTest("c server, java client: " + each.client + " " + each.options,
                                () -> serveSample(each))));
    }

    /** Each pairing has a port of its own, since the connections of the one before may be in TIMEWAIT. */
    private static Programs withPort(Programs programs) {
        return new Programs(programs.server, programs.client, programs.options.formatted(nextPort++),
                programs.further, programs.line);
    }

    private static List<String> cWords(List<String> words) {
        List<String> changed = new ArrayList<>(words);
        changed.set(0, words.getFirst().replace('-', '_'));
        return changed;
    }

    private static boolean isTooEarly(Outcome client) {
        String lines = String.join(" ", client.lines());
        return !client.status().equals("0") && (lines.contains("REJECTED") && !lines.contains(CONSUMER_REJECT)
                || lines.contains("UNREACHABLE") || lines.contains("rdma_connect: "));
    }

    private void serveProgram(Programs programs) throws Exception {
        Sides ended = sampleAndProgram(programs);
        check(programs, ended.server, ended.client);
    }

    private void serveSample(Programs programs) throws Exception {
        Sides ended = programAndSample(programs);
        check(programs, ended.server, ended.client);
    }

    private Sides sampleAndProgram(Programs programs) throws Exception {
        for (int attempt = 1;; attempt++) {
            Programs numbered = withPort(programs);
            SampleThread server = SampleThread
                    .start(numbered.words(true, settings.sampleAddress()).toArray(String[]::new));
            Thread.sleep(attempt * PAUSE_MILLIS);
            Outcome client;
            try (RdmacmProgram program = RdmacmProgram.start(settings.programPrefix(),
                    cWords(numbered.words(false, settings.sampleAddress())))) {
                client = program.await();
            }
            if (attempt == ATTEMPTS || !isTooEarly(client)) {
                return new Sides(server.await(), client);
            }
            server.interrupt();
        }
    }

    private Sides programAndSample(Programs programs) throws Exception {
        for (int attempt = 1;; attempt++) {
            Programs numbered = withPort(programs);
            try (RdmacmProgram server = RdmacmProgram.start(settings.programPrefix(),
                    cWords(numbered.words(true, settings.programAddress())))) {
                Thread.sleep(attempt * PAUSE_MILLIS);
                Outcome client = SampleThread
                        .start(numbered.words(false, settings.programAddress()).toArray(String[]::new)).await();
                if (attempt == ATTEMPTS || !isTooEarly(client)) {
                    return new Sides(server.await(), client);
                }
                server.kill();
                server.await();
            }
        }
    }

    private void check(Programs programs, Outcome server, Outcome client) {
        String outputs = server.describe("the server") + client.describe("the client") + "\n ";
        assertEquals("0", client.status(), () -> "exit status of the client" + outputs);
        assertEquals("0", server.status(), () -> "exit status of the server" + outputs);
        for (Outcome each : List.of(server, client)) {
            assertTrue(each.lines().getLast().endsWith(programs.line), () -> "last line" + outputs);
        }
        assertPrintsTheSame("server " + programs.server + programs.options, server);
        assertPrintsTheSame("client " + programs.client + programs.options, client);
    }

    private void assertPrintsTheSame(String side, Outcome outcome) {
        List<String> first = printed.putIfAbsent(side, outcome.lines());
        if (first != null) {
            assertEquals(first, outcome.lines(), () -> "lines of the sample and of the C program: " + side);
        }
    }

    @Test
    void aCProgramWithMoreConnectionsThanTheSampleWantsIsRejectedWithReason28() throws Exception {
        Sides ended = sampleAndProgram(
                new Programs("ucmatose", "ucmatose", "-p %d -C 0", "-c 2", "return status 28"));
        String outputs = ended.server.describe("the server") + ended.client.describe("the client") + "\n ";
        assertEquals("28", ended.client.status(), () -> "exit status of the client" + outputs);
        assertTrue(ended.client.lines().contains(CONSUMER_REJECT), outputs);
        assertEquals("0", ended.server.status(), () -> "exit status of the server" + outputs);
    }

    @Test
    void aPortWithoutAListenerIsReported() throws Exception {
        for (String[] words : List.of(new String[] {"ucmatose", "-s", settings.programAddress(), "-p", "18899"},
                new String[] {"udaddy", "-s", settings.programAddress()})) {
            Outcome sample = SampleThread.start(words).await();
            assertTrue(!sample.status().equals("0") && sample.status().length() <= 3,
                    () -> sample.describe("the sample"));
            assertTrue(sample.lines().stream().anyMatch(line -> line.contains("event: RDMA_CM_EVENT_")),
                    () -> sample.describe("the sample"));
        }
    }
}
