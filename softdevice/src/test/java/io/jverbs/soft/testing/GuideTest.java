package io.jverbs.soft.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.jverbs.contract.end.remote.TestJvm;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** The code blocks of docs/testing.md compile and do what the page says. */
final class GuideTest {
    private static final Path CHECKOUT = Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();
    private static final Path GUIDE = CHECKOUT.resolve("docs/testing.md");
    private static final Pattern NAME = Pattern.compile("(?m)^(?:public )?class (\\w+)");
    private static final int LINES = 10;

    @TempDir
    private Path folder;

    private static List<String> programs() throws Exception {
        return Pattern.compile("(?ms)^```java\n(.*?)^```$").matcher(Files.readString(GUIDE)).results()
                .map(block -> block.group(1)).toList();
    }

    private static String name(String program) {
        Matcher name = NAME.matcher(program);
        assertTrue(name.find(), program);
        return name.group(1);
    }

    private List<String> compile() throws Exception {
        List<String> names = new ArrayList<>();
        List<String> command = new ArrayList<>(List.of("--release", "22", "-Xlint:all", "-Werror", "-proc:none", "-cp",
                TestJvm.classPath(), "-d", folder.toString()));
        for (String program : programs()) {
            names.add(name(program));
            command.add(Files.writeString(folder.resolve(name(program) + ".java"), program).toString());
        }
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, command.toArray(String[]::new)));
        return names;
    }

    @Test
    void firstTestHasAtMostTenLines() throws Exception {
        long lines = programs().getFirst().lines().dropWhile(line -> !line.startsWith("@"))
                .filter(line -> !line.isBlank()).count();
        assertTrue(lines <= LINES, lines + " lines");
    }

    @Test
    void testsOfPagePassAndProgramPrintsExpectedOutput() throws Exception {
        List<String> names = compile();
        try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()},
                getClass().getClassLoader())) {
            for (String name : names) {
                Class<?> type = loader.loadClass(name);
                if (name.endsWith("Test")) {
                    SummaryGeneratingListener listener = new SummaryGeneratingListener();
                    LauncherFactory.create().execute(
                            LauncherDiscoveryRequestBuilder.request().selectors(selectClass(type)).build(), listener);
                    TestExecutionSummary summary = listener.getSummary();
                    assertEquals(List.of(), summary.getFailures().stream().map(each -> each.getException()).toList());
                    assertTrue(summary.getTestsSucceededCount() > 0, name);
                }
            }
            assertEquals("hello: SUCCESS after",
                    printed(loader.loadClass("Plain")).replaceFirst(" [0-9]+ packets\\s*", ""));
        }
    }

    private static String printed(Class<?> program) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream former = System.out;
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        try {
            program.getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        } finally {
            System.setOut(former);
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void mavenCoordinatesMatchTheBuild() throws Exception {
        String version = first("<revision>(.*?)</revision>", Files.readString(CHECKOUT.resolve("pom.xml")));
        String pom = Files.readString(CHECKOUT.resolve("softdevice/pom.xml"));
        String artifact = first("<artifactId>(.*?)</artifactId>", pom.replaceFirst("(?s)<parent>.*?</parent>", ""));
        assertTrue(Files.readString(GUIDE).replaceAll("\\s+", "").contains("<groupId>io.jverbs</groupId><artifactId>"
                + artifact + "</artifactId><version>" + version + "</version><scope>test</scope>"), version);
    }

    private static String first(String pattern, String text) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        assertTrue(matcher.find(), pattern);
        return matcher.group(1);
    }
}
