package io.jverbs.samples.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.samples.SamplesProcess;
import io.jverbs.samples.console.SampleFailure;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The errors for programs that cannot be watched, or no longer. */
class OtherProgramTest {
    private static final int TIMEOUT_SECONDS = 20;

    private static Process start(String classPath, Class<?> program) throws Exception {
        return new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp", classPath,
                program.getName()).redirectErrorStream(true).start();
    }

    @Test
    void aProgramThatUnregistersItsDevicesIsDistinguishedFromOneThatHasExited() throws Exception {
        Process program = start(SamplesProcess.classPath(), ShowingProgram.class);
        PrintWriter input = new PrintWriter(program.outputWriter(), true);
        try {
            assertEquals("registered", program.inputReader().readLine());
            try (OtherProgram watched = OtherProgram.attach(program.pid())) {
                assertEquals(List.of(), watched.devices());
                input.println("unregister");
                assertEquals("unregistered", program.inputReader().readLine());
                assertEquals("process " + program.pid()
                        + " no longer exposes its devices: it called Devices.unregister()",
                        assertThrows(SampleFailure.class, watched::devices).getMessage());
                input.close();
                assertTrue(program.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS));
                assertEquals("process " + program.pid() + " has exited",
                        assertThrows(SampleFailure.class, watched::devices).getMessage());
            }
        } finally {
            program.destroyForcibly();
        }
    }

    @Test
    void aProgramWhoseSystemClassLoaderHasNoJverbsIsRefusedWithWhatToDo() throws Exception {
        Path classes = Path.of(WithoutJverbs.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        Process program = start(classes.toString(), WithoutJverbs.class);
        try {
            assertEquals("started", program.inputReader().readLine());
            SampleFailure failure = assertThrows(SampleFailure.class, () -> OtherProgram.attach(program.pid()));
            assertEquals("process " + program.pid() + " cannot be watched: its system class loader has no"
                    + " io.jverbs.control.Devices; a program that loads jverbs with another class loader must call"
                    + " Devices.register() itself; see docs/observability.md", failure.getMessage());
        } finally {
            program.destroyForcibly();
        }
    }
}
