package io.jverbs.samples.readme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.samples.InOtherProcesses;
import io.jverbs.samples.Run;
import io.jverbs.samples.TwoSides;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The programs about connections compile and print the text in the block behind each of them. */
@InOtherProcesses
class ConnectingTest {
    private static final String PAGE = "docs/connecting.md";
    private static final String TWO_PROCESSES = "Hello";
    private static final String SERVER = "127.0.46.1";
    private static final String CLIENT = "127.0.46.2";
    private static final int MOST_LINES = 40;
    private static final int PATIENCE_SECONDS = 60;

    @TempDir
    private static Path folder;

    static Stream<String> programsOfOneProcess() {
        return Programs.outputs(PAGE).keySet().stream().filter(name -> !name.equals(TWO_PROCESSES));
    }

    @BeforeAll
    static void compile() throws IOException {
        Programs.compile(folder, Documents.blocks(PAGE, "java"));
    }

    @Test
    void theReadmeHasTheProgramOfTwoProcessesAndItIsShort() {
        String program = Documents.blocks(PAGE, "java").getFirst();
        assertEquals(TWO_PROCESSES, Programs.name(program));
        assertEquals(program, Documents.blocks(Documents.README, "java").get(1));
        assertTrue(program.lines().count() <= MOST_LINES, program.lines().count() + " lines");
    }

    @ParameterizedTest
    @MethodSource("programsOfOneProcess")
    void aProgramPrintsWhatThePageStates(String name) {
        Run run = Programs.run(folder, "soft", name, List.of());

        assertEquals("", run.err());
        assertEquals(0, run.status());
        assertEquals(Programs.outputs(PAGE).get(name), run.out());
    }

    @Test
    void theTwoProcessesExchangeARequestAndItsReply() throws Exception {
        CompletableFuture<Run> server = TwoSides
                .inThread(() -> Programs.run(folder, "soft:" + SERVER, TWO_PROCESSES, List.of()));
        Run client = ask();
        while (client.status() != 0 && !server.isDone()) {
            // the server does not listen yet
            client = ask();
        }

        assertEquals("", client.err());
        assertEquals(Programs.outputs(PAGE).get(TWO_PROCESSES), client.out());
        Run served = server.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertEquals("", served.err());
        assertEquals("asked: world\n", served.out().replace("\r", ""));
    }

    private static Run ask() {
        return Programs.run(folder, "soft:" + CLIENT, TWO_PROCESSES, List.of(SERVER));
    }
}
