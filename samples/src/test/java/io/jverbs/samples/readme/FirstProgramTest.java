package io.jverbs.samples.readme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.samples.InOtherProcesses;
import io.jverbs.samples.Run;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program of the README compiles and prints what the README states. */
@InOtherProcesses
class FirstProgramTest {
    private static final int MOST_LINES = 40;

    private static String program() {
        List<String> programs = Documents.blocks(Documents.README, "java");
        assertEquals(2, programs.size(), "programs in the README");
        return programs.getFirst();
    }

    @Test
    void theProgramIsShort() {
        assertTrue(program().lines().count() <= MOST_LINES, program().lines().count() + " lines");
    }

    @Test
    void theProgramCompilesAndPrintsWhatTheReadmeStates(@TempDir Path folder) throws Exception {
        Programs.compile(folder, List.of(program()));

        Run run = Programs.run(folder, "soft", Programs.name(program()), List.of());

        assertEquals("", run.err());
        assertEquals(0, run.status());
        assertEquals(Documents.blocks(Documents.README, "text").getFirst(), run.out());
    }
}
