package io.jverbs.soft.program;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.contract.end.remote.TestJvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Verbs near the end of the stack either fail before they have an effect or are carried out. No lock stays held, and no
 * completion is lost.
 */
final class ShortStacksTest {
    private static final int ROUNDS = Integer.getInteger("jverbs.stacks.rounds", 10);

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation", "-XX:+TieredCompilation"})
    @Timeout(120)
    void postNearEndOfStackFailsOrCompletes(String mode) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(mode, "-cp", TestJvm.classPath(), ShortStacks.class.getName(),
                "" + ROUNDS, "jvm", "simulated"));
        if (System.getProperty("os.name").equals("Linux")) {
            // every address of 127/8 is local on Linux
            arguments.add("udp");
        }
        ChildJvm.Result result = ChildJvm.run(folder, arguments);
        assertEquals(0, result.exit(), result.out() + result.err());
    }
}
