package io.jverbs.soft.layers.strict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.soft.program.ChildJvm;
import io.jverbs.strict.StrictMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks the reports of strict mode on contexts that are never closed. */
final class StrictLeaksTest {
    @TempDir
    private Path folder;

    @Test
    void openObjectsAreListedUntilTheyAreClosed() {
        StrictMode strict = StrictMode.reporting();
        RdmaContext first = Verbs.select("soft").open(strict);
        first.createCompletionQueue(4);
        RdmaContext second = Verbs.select("soft").open(strict);
        assertEquals(List.of("context of soft0", "completion queue of 4 entries", "context of soft0"),
                strict.open().stream().map(StrictMode.OpenObject::what).toList());
        assertTrue(strict.open().stream().allMatch(each -> each.toString().contains(" created at "
                + StrictLeaksTest.class.getName() + ".openObjectsAreListedUntilTheyAreClosed(")),
                () -> "" + strict.open());
        assertEquals(List.of(), StrictMode.reporting().open());
        first.close();
        second.close();
        assertEquals(List.of(), strict.open());
    }

    /** A program that opens a context, and closes it in a shutdown hook or not at all, depending on its argument. */
    public static final class Program {
        private Program() {}

        /** Runs the program. */
        @SuppressWarnings("resource")
        public static void main(String[] args) {
            RdmaContext context = Verbs.open("soft");
            context.createCompletionQueue(4);
            if (args[0].equals("hook")) {
                Runtime.getRuntime().addShutdownHook(new Thread(context::close));
            }
        }
    }

    private ChildJvm.Result run(String end, String... options) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        arguments.addAll(List.of(options));
        arguments.addAll(List.of("-cp", System.getProperty("java.class.path"), Program.class.getName(), end));
        return ChildJvm.run(folder, arguments);
    }

    @Test
    void aContextThatIsNeverClosedIsReportedAtJvmExit() throws Exception {
        ChildJvm.Result result = run("nobody", "-Djverbs.strict=true");
        assertEquals(0, result.exit());
        assertEquals(1, result.err().lines().count(), result.err());
        assertTrue(result.err().startsWith("WARN StrictMode: OBJECT_LEAKED at " + Program.class.getName() + ".main("),
                result.err());
        assertTrue(result.err().contains("the context of soft0 that was opened here is still open at JVM exit, with 1 "
                + "object: completion queue of 4 entries created at " + Program.class.getName()), result.err());
    }

    @Test
    void aContextClosedByAShutdownHookIsNotReportedAsNeverClosed() throws Exception {
        ChildJvm.Result result = run("hook", "-Djverbs.strict=true");
        assertEquals(0, result.exit());
        assertTrue(result.err().contains("the context was closed here with 1 object still open"), result.err());
        assertEquals(1, result.err().lines().count(), result.err());
    }

    @Test
    void withoutStrictModeNothingIsReported() throws Exception {
        ChildJvm.Result result = run("nobody");
        assertEquals("", result.err());
    }
}
