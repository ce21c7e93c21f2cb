package io.jverbs.soft.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.transport.Counter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Whatever comes to the socket: what the fuzzer has found worth keeping, and random scripts. */
final class ReceivePathTest {
    /** A file that Jazzer left. */
    private static final String INPUT = System.getProperty("jverbs.fuzz.input");
    private static final int SCRIPTS = Integer.getInteger("jverbs.fuzz.scripts", 4_000);
    private static final int MAX_LENGTH = 300;
    private static final long SEED = Long.getLong("jverbs.test.seed", 1);

    private final ReceivePathFuzzer.Runner runner = new ReceivePathFuzzer.Runner();

    @Test
    void theCorpusBreaksNothingAndMeetsEveryFateOfAPacket() throws IOException {
        List<byte[]> inputs = Corpus.inputs();
        for (byte[] input : inputs) {
            run(input, "an input of the corpus");
        }
        assertAllCounted();
        assertTrue(runner.victim().ledger().received() > 0, "no input is taken");
        // a device of the test alone is in no group of the network, no input has 33 READs before the first answer, and the port is
        // as it was made
        Set<Counter> beyondInputs = EnumSet.of(Counter.OWN_MULTICAST, Counter.TOO_MANY_RD_ATOMIC, Counter.PORT_DOWN,
                Counter.LOST);
        for (Counter fate : Ledger.fates()) {
            assertTrue(beyondInputs.contains(fate) || runner.victim().ledger().counted(fate) > 0,
                    () -> "none of " + inputs.size() + " inputs makes " + fate.label());
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "jverbs.fuzz.input", matches = ".+", disabledReason = "runs an input that failed again: -Djverbs.fuzz.input=FILE")
    void theInputOfAFileBreaksNothing() throws IOException {
        run(Files.readAllBytes(Path.of(INPUT)), INPUT);
        assertAllCounted();
    }

    @Test
    void randomScriptsBreakNothing() {
        Random random = new Random(SEED);
        for (int i = 0; i < SCRIPTS; i++) {
            byte[] input = new byte[random.nextInt(MAX_LENGTH)];
            random.nextBytes(input);
            run(input, "script " + i + " of seed " + SEED);
        }
        assertAllCounted();
    }

    private void run(byte[] input, String name) {
        try {
            runner.run(input);
        } catch (RuntimeException | Error e) {
            throw new AssertionError(name + ": " + e.getMessage() + "; the input is "
                    + HexFormat.of().formatHex(input), e);
        }
    }

    private void assertAllCounted() {
        assertEquals(runner.victim().delivered(), runner.victim().ledger().total(),
                () -> ReceivePathFuzzer.summary(runner));
        System.out.println("Receive path: " + ReceivePathFuzzer.summary(runner));
    }
}
