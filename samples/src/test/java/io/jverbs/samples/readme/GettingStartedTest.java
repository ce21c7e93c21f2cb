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

/** The programs of the tutorial compile and print the text in the block behind each of them. */
@InOtherProcesses
class GettingStartedTest {
    private static final String PAGE = "docs/getting-started.md";
    private static final String RECEIVER = "Receiver";
    private static final String SENDER = "Sender";
    private static final String RECEIVER_DEVICE = "soft:127.0.45.1";
    private static final String SENDER_DEVICE = "soft:127.0.45.2";
    private static final int PATIENCE_SECONDS = 60;

    @TempDir
    private static Path folder;

    static Stream<String> programsOfOneProcess() {
        return Programs.outputs(PAGE).keySet().stream().filter(name -> !name.equals(RECEIVER) && !name.equals(SENDER));
    }

    @BeforeAll
    static void compile() throws IOException {
        Programs.compile(folder, Documents.blocks(PAGE, "java"));
    }

    @Test
    void thePageHasProgramsOfOneAndOfTwoProcesses() {
        assertTrue(Programs.outputs(PAGE).keySet().containsAll(List.of("FirstWrite", RECEIVER, SENDER)),
                Programs.outputs(PAGE).toString());
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
    void theTwoProcessesPrintWhatThePageStates() throws Exception {
        String port = Integer.toString(TwoSides.freePort());
        CompletableFuture<Run> receiver = TwoSides
                .inThread(() -> Programs.run(folder, RECEIVER_DEVICE, RECEIVER, List.of(port)));
        Run sender = send(port);
        while (sender.status() != 0 && !receiver.isDone()) {
            // the receiver does not listen yet
            sender = send(port);
        }

        Run received = receiver.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertEquals("", received.err());
        assertEquals(Programs.outputs(PAGE).get(RECEIVER), received.out());
        assertEquals("", sender.err());
        assertEquals(Programs.outputs(PAGE).get(SENDER), sender.out());
    }

    private static Run send(String port) {
        return Programs.run(folder, SENDER_DEVICE, SENDER, List.of("127.0.0.1", port));
    }
}
