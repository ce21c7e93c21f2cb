package io.jverbs.samples.readme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.samples.Run;
import io.jverbs.samples.SamplesProcess;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's program does what the README says. */
class FirstProgramTest {
    private static final int MOST_LINES = 40;

    private static String program() {
        List<String> blocks = Readme.blocks("java");
        assertEquals(1, blocks.size(), "the README has one program");
        return blocks.getFirst();
    }

    @Test
    void theProgramIsShort() {
        assertTrue(program().lines().count() <= MOST_LINES, program().lines().count() + " lines");
    }

    @Test
    void theProgramCompilesAndPrintsWhatTheReadmeSays(@TempDir Path folder) throws Exception {
        Matcher name = Pattern.compile("(?m)^public (?:final )?class (\\w+)").matcher(program());
        assertTrue(name.find());
        Path source = Files.writeString(folder.resolve(name.group(1) + ".java"), program());
        compile(source, folder);

        Run run = SamplesProcess.run(folder + File.pathSeparator + SamplesProcess.classPath(),
                List.of("-Djverbs.device=soft"), name.group(1), List.of());

        assertEquals("", run.err());
        assertEquals(0, run.status());
        assertEquals(Readme.blocks("text").getFirst(), run.out());
    }

    private static void compile(Path source, Path folder) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        int status = compiler.run(null, null, null, "--release", "22", "-Xlint:all", "-Werror", "-proc:none", "-cp",
                SamplesProcess.classPath(), "-d", folder.toString(), source.toString());
        assertEquals(0, status, "javac " + source);
    }
}
