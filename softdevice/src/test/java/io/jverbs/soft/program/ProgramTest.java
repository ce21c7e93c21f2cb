package io.jverbs.soft.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.contract.end.remote.TestJvm;
import io.jverbs.contract.fixture.InOtherProcesses;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs run on the class path and on the module path, without native access and without warnings. */
@InOtherProcesses
final class ProgramTest {
    private static final String EXPECTED = "soft:soft0 1122334455667788" + System.lineSeparator();
    /** The module path has no SLF4J provider; this suppresses the warning of SLF4J. */
    private static final String NO_LOGGING = "-Dslf4j.internal.verbosity=ERROR";
    private static final int DENY_SINCE = 24;

    @TempDir
    private Path folder;

    @Test
    void programOnClassPathFindsDeviceWithoutWarnings() throws Exception {
        ChildJvm.Result result = ChildJvm.run(folder, arguments("-cp", classPath(), EchoProgram.class.getName()));
        assertEquals("", result.err());
        assertEquals(EXPECTED, result.out());
        assertEquals(0, result.exit());
    }

    @Test
    void programOnModulePathFindsDeviceWithoutWarnings() throws Exception {
        Path module = compileModule();
        String path = modulePath() + File.pathSeparator + module;
        ChildJvm.Result result = ChildJvm.run(folder, arguments(NO_LOGGING, "-p", path, "-m", "echo/echo.Echo"));
        assertEquals("", result.err());
        assertEquals(EXPECTED, result.out());
        assertEquals(0, result.exit());
    }

    @Test
    void unknownProviderIsRejectedWithAvailableProviders() throws Exception {
        ChildJvm.Result result = ChildJvm.run(folder,
                arguments("-Djverbs.device=hard", "-cp", classPath(), EchoProgram.class.getName()));
        assertEquals(1, result.exit());
        assertTrue(result.err().contains("no provider \"hard\"; available: auto, native, soft"), result.err());
    }

    @Test
    void ipv6AddressWithPreferIpv4StackFailsWithEafnosupportAndRemedy() throws Exception {
        ChildJvm.Result result = ChildJvm.run(folder, arguments("-Djava.net.preferIPv4Stack=true",
                "-Djverbs.device=soft:[::1]", "-cp", classPath(), EchoProgram.class.getName()));
        assertEquals(1, result.exit());
        assertTrue(result.err().contains("EAFNOSUPPORT"), result.err());
        assertTrue(result.err().contains("start it without -Djava.net.preferIPv4Stack=true"), result.err());
    }

    /** Denies native access if the JVM has the option: the device must not need native access. */
    private static List<String> arguments(String... more) {
        List<String> all = new ArrayList<>();
        if (Runtime.version().feature() >= DENY_SINCE) {
            all.add("--illegal-native-access=deny");
        }
        all.addAll(List.of(more));
        return all;
    }

    private static String classPath() {
        return TestJvm.classPath();
    }

    /** Returns the class path entries of the three libraries and of the SLF4J API as a module path. */
    private static String modulePath() {
        return Arrays.stream(classPath().split(File.pathSeparator))
                .filter(entry -> entry.contains("slf4j-api") || isLibrary(entry))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static boolean isLibrary(String entry) {
        return !entry.contains("tests") && !entry.contains("test-classes")
                && List.of("ffm-bindings", "jverbs", "softdevice").stream()
                        .anyMatch(name -> entry.matches(".*[/\\\\]" + name + "[/\\\\](target[/\\\\]classes|.*\\.jar)"));
    }

    /** Compiles the program as a module that requires only io.jverbs; the provider is found through ServiceLoader. */
    private Path compileModule() throws Exception {
        Path sources = Files.createDirectories(folder.resolve("src/echo"));
        String program = Files
                .readString(Path.of("src/test/java", EchoProgram.class.getName().replace('.', '/') + ".java"));
        Files.writeString(sources.resolve("Echo.java"), program.replaceFirst("package [^;]*;", "package echo;")
                .replace("EchoProgram", "Echo"));
        Files.writeString(sources.resolve("../module-info.java"), "module echo { requires io.jverbs; }");
        Path classes = Files.createDirectories(folder.resolve("classes"));
        int status = ToolProvider.getSystemJavaCompiler().run(null, null, null, "-p", modulePath(), "-d",
                classes.toString(), sources.resolve("../module-info.java").toString(),
                sources.resolve("Echo.java").toString());
        assertEquals(0, status, "the module did not compile");
        return classes;
    }
}
