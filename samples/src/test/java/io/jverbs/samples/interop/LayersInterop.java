package io.jverbs.samples.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.samples.Run;
import io.jverbs.samples.interop.process.InteropSettings;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Fault injection and strict mode before a device of the kernel. It needs rxe0: {@code .ci/rxe-samples} runs it in a
 * virtual machine, and its name keeps it out of the build's tests.
 */
class LayersInterop {
    /** A report of strict mode: the level, the rule, the place. */
    private static final Pattern REPORT = Pattern.compile("^WARN: [A-Z_]+ at ", Pattern.MULTILINE);
    private static final List<String> LATENCY = List.of("send-lat", "--loopback", "-n", "20");

    /**
     * A run of a sample.
     *
     * @param name what is tested
     * @param properties the system properties that enable the layers
     * @param arguments the sample and its arguments
     * @param status the exit status
     * @param expected a text that the output contains
     */
    private record Case(String name, Map<String, String> properties, List<String> arguments, int status,
            String expected) {

        static Case fault(String name, String fault, int status, String expected) {
            return new Case(name, Map.of("jverbs.fault", fault), LATENCY, status, expected);
        }
    }

    private static final List<Case> CASES = List.of(
            new Case("a correct program, with both layers", Map.of("jverbs.strict", "true", "jverbs.fault", "none"),
                    List.of("tour"), 0, "operations passed"),
            Case.fault("a completion with an injected status", "complete=RETRY_EXC_ERR,nth=5", 1, "RETRY_EXC_ERR"),
            Case.fault("a post that fails", "post=ENOMEM,nth=5", 1, "ENOMEM"),
            Case.fault("a registration that fails", "register=EPERM", 1, "EPERM"),
            Case.fault("delayed completions", "delay=1ms", 0, "t_typical"));

    private final InteropSettings settings = InteropSettings.ofSystemProperties();

    @TestFactory
    Stream<DynamicTest> theLayersOnRxe() {
        return CASES.stream().map(each -> DynamicTest.dynamicTest(each.name(), () -> check(each)));
    }

    /** Otherwise, {@link #theLayersOnRxe} would also pass if reports went elsewhere. */
    @Test
    void aReportOfStrictModeIsInTheOutput() {
        String output = outputOf(Map.of("jverbs.strict", "true"), () -> {
            try (RdmaContext context = Verbs.select(settings.device()).open()) {
                context.allocatePd();
            }
            return "";
        });
        assertTrue(REPORT.matcher(output).find(), output);
        assertTrue(output.contains("OBJECT_LEAKED"), output);
    }

    private void check(Case tested) {
        String output = outputOf(tested.properties(), () -> {
            Run run = Run.on(settings.device(), tested.arguments().toArray(String[]::new));
            assertEquals(tested.status(), run.status(), run.out() + run.err());
            return run.out() + run.err();
        });
        assertTrue(output.contains(tested.expected()), output);
        // a report of strict mode would say that the sample, which is correct, is not
        assertFalse(REPORT.matcher(output).find(), output);
    }

    /** Returns the output of a program that runs with system properties, and what was logged meanwhile. */
    private static String outputOf(Map<String, String> properties, Supplier<String> program) {
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        PrintStream errors = System.err;
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        properties.forEach(System::setProperty);
        try {
            return program.get() + log.toString(StandardCharsets.UTF_8);
        } finally {
            properties.keySet().forEach(System::clearProperty);
            System.setErr(errors);
        }
    }
}
