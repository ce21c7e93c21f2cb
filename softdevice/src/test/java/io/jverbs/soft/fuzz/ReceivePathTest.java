package io.jverbs.soft.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.protocol.Counter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Runs the fuzzing corpus and random scripts on the receive path, and random scripts on the connection manager. */
final class ReceivePathTest {
    private static final String DISABLED = "repeats an input that failed: -Djverbs.fuzz.input=FILE";
    /** The file of an input that failed. */
    private static final String INPUT = System.getProperty("jverbs.fuzz.input");
    private static final String CONNECTION_INPUT = System.getProperty("jverbs.fuzz.connection.input");
    private static final int SCRIPTS = Integer.getInteger("jverbs.fuzz.scripts", 4_000);
    private static final int MAX_LENGTH = 300;
    private static final long SEED = Long.getLong("jverbs.test.seed", 1);

    private final ReceivePathFuzzer.Runner runner = new ReceivePathFuzzer.Runner();

    @Test
    void theCorpusRunsWithoutErrorsAndCoversEveryOutcomeOfAPacket() throws IOException {
        List<byte[]> inputs = Corpus.inputs();
        for (byte[] input : inputs) {
            run(input, "corpus input");
        }
        assertAllCounted();
        assertTrue(runner.device().accounting().received() > 0, "no packet was accepted");
        // unreachable for inputs: the device is in no multicast group of a network, no input has 33 READs before the
        // first response, nothing changes the port, and the generator makes no CNPs
        Set<Counter> unreachable = EnumSet.of(Counter.OWN_MULTICAST, Counter.TOO_MANY_RD_ATOMIC, Counter.PORT_DOWN,
                Counter.LOST, Counter.CNP_HANDLED, Counter.CNP_IGNORED);
        for (Counter outcome : PacketAccounting.outcomes()) {
            assertTrue(unreachable.contains(outcome) || runner.device().accounting().counted(outcome) > 0,
                    () -> "none of " + inputs.size() + " inputs leads to " + outcome.label());
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "jverbs.fuzz.input", matches = ".+", disabledReason = DISABLED)
    void theInputFileRunsWithoutErrors() throws IOException {
        run(Files.readAllBytes(Path.of(INPUT)), INPUT);
        assertAllCounted();
    }

    @Test
    void randomScriptsRunWithoutErrors() {
        Random random = new Random(SEED);
        for (int i = 0; i < SCRIPTS; i++) {
            byte[] input = new byte[random.nextInt(MAX_LENGTH)];
            random.nextBytes(input);
            run(input, "script " + i + " of seed " + SEED);
        }
        assertAllCounted();
    }

    @Test
    void randomScriptsRunWithoutErrorsInTheConnectionManager() {
        ConnectionFuzzer.Runner connections = new ConnectionFuzzer.Runner();
        Random random = new Random(SEED);
        for (int i = 0; i < SCRIPTS; i++) {
            byte[] input = new byte[random.nextInt(3 * MAX_LENGTH)];
            random.nextBytes(input);
            run(connections::run, input, "script " + i + " of seed " + SEED);
        }
        assertEquals(connections.delivered(), connections.accounting().total(),
                () -> ConnectionFuzzer.summary(connections));
        assertTrue(connections.program().accepted() > 0 && connections.program().refused() > 0,
                () -> ConnectionFuzzer.summary(connections));
        System.out.println("Connection manager: " + ConnectionFuzzer.summary(connections));
    }

    @Test
    @EnabledIfSystemProperty(named = "jverbs.fuzz.connection.input", matches = ".+", disabledReason = DISABLED)
    void theInputFileRunsWithoutErrorsInTheConnectionManager() throws IOException {
        run(new ConnectionFuzzer.Runner()::run, Files.readAllBytes(Path.of(CONNECTION_INPUT)), CONNECTION_INPUT);
    }

    private void run(byte[] input, String name) {
        run(runner::run, input, name);
    }

    private static void run(Consumer<byte[]> target, byte[] input, String name) {
        try {
            target.accept(input);
        } catch (RuntimeException | Error e) {
            throw new AssertionError(name + ": " + e.getMessage() + "; the input is "
                    + HexFormat.of().formatHex(input), e);
        }
    }

    private void assertAllCounted() {
        assertEquals(runner.device().delivered(), runner.device().accounting().total(),
                () -> ReceivePathFuzzer.summary(runner));
        System.out.println("Receive path: " + ReceivePathFuzzer.summary(runner));
    }
}
