package io.jverbs.soft.program;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.contract.end.remote.TestJvm;
import io.jverbs.contract.fixture.InOtherProcesses;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Verbs near the end of the stack either fail before they have an effect or are carried out. No lock stays held, and no
 * completion is lost.
 */
@InOtherProcesses
final class ShortStacksTest {
    private static final int ROUNDS = Integer.getInteger("jverbs.stacks.rounds", 10);
    private static final String USUAL = "-XX:+TieredCompilation";
    /** Ten rounds take up to 45 seconds of one processor, which other programs may use too. */
    private static final long MOST_SECONDS = 110;

    @TempDir
    private Path folder;

    @Test
    @Timeout(120)
    void postNearEndOfStackFailsOrCompletes() throws Exception {
        post(USUAL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation"})
    @Tag("variants")
    @Timeout(120)
    void postNearEndOfStackFailsOrCompletesHoweverTheJvmRunsIt(String mode) throws Exception {
        post(mode);
    }

    private void post(String mode) throws Exception {
        run(mode, ShortStacks.class, "" + ROUNDS, "jvm", "simulated");
    }

    @Test
    @Timeout(120)
    void controlVerbNearEndOfStackLeavesNoLockHeldAndNoObjectBehind() throws Exception {
        control(USUAL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation"})
    @Tag("variants")
    @Timeout(120)
    void controlVerbNearEndOfStackLeavesNothingBehindHoweverTheJvmRunsIt(String mode) throws Exception {
        control(mode);
    }

    private void control(String mode) throws Exception {
        // the frames of compiled code are short, so that there are many depths; fewer rounds visit fewer of them
        int stride = mode.equals("-Xint") ? 1 : ROUNDS < 10 ? 16 : 4;
        run(mode, ShortControlStacks.class, "" + (1 + ROUNDS / 5), "" + stride, folder.toString(), "jvm", "layers",
                "simulated");
    }

    private void run(String mode, Class<?> program, String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of(mode, "-cp", TestJvm.classPath(), program.getName()));
        all.addAll(List.of(arguments));
        if (System.getProperty("os.name").equals("Linux")) {
            // every address of 127/8 is local on Linux
            all.add("udp");
        }
        ChildJvm.Result result = ChildJvm.run(folder, all, MOST_SECONDS);
        assertEquals(0, result.exit(), result.out() + result.err());
    }
}
