package io.jverbs.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.jverbs.spi.SystemProperties;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Each wrong option, value, file and property of each sample is refused with one sentence on standard error that has
 * the option, its value, what is allowed, and where to read more. The status is 2, and 1 for the programs that are like
 * C programs, which also print their usage.
 */
class OptionMessagesTest {
    private static final Map<String, CommandLine> SAMPLES = Samples.commandLine(null).getSubcommands();
    /** The arguments without which a sample does not come to check its options. */
    private static final Map<String, List<String>> NEEDED = Map.of("timeline", List.of("x.jfr"));
    /** What the value of an option is if it is not a number. */
    private static final List<String> TEXTS = List.of("ADDRESS", "DEVICE", "FILE", "FORMAT", "OPTION", "SPACE",
            "TYPE");

    @TempDir
    private Path folder;

    static Stream<String> samples() {
        return SAMPLES.keySet().stream();
    }

    private static void assertRefused(String sample, Run run, String sentence) {
        int status = SAMPLES.get(sample).getCommandSpec().exitCodeOnInvalidInput();
        assertEquals(status, run.status(), run.err());
        assertEquals(1, run.errors().size(), run.err());
        boolean usage = run.out().startsWith("Usage: samples/run " + sample);
        assertEquals("samples/run " + sample + ": " + sentence
                + (usage ? "." : "; samples/run " + sample + " --help describes the options."), run.err().strip());
        assertEquals(usage, !run.out().isEmpty());
    }

    private static Run run(String sample, String... arguments) {
        return Run.of(Stream.of(List.of(sample), NEEDED.getOrDefault(sample, List.of()), List.of(arguments))
                .flatMap(List::stream).toArray(String[]::new));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void anUnknownOptionIsRefusedWithTheNearestOneAndThoseThereAre(String sample) {
        String allowed = String.join(", ", SAMPLES.get(sample).getCommandSpec().options().stream()
                .filter(each -> !each.hidden()).map(OptionSpec::longestName).sorted().toList());

        assertRefused(sample, run(sample, "--hlep"),
                "unknown option --hlep (did you mean --help?); allowed are " + allowed);
    }

    @ParameterizedTest
    @MethodSource("samples")
    void anOptionWithoutItsValueIsRefusedWithTheNameOfTheValue(String sample) {
        for (OptionSpec option : SAMPLES.get(sample).getCommandSpec().options()) {
            if (option.arity().min() > 0) {
                assertRefused(sample, run(sample, option.longestName()),
                        option.longestName() + " needs a value, " + option.paramLabel());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void aFlagWithAValueIsRefused(String sample) {
        for (OptionSpec option : SAMPLES.get(sample).getCommandSpec().options()) {
            if (option.arity().max() == 0) {
                assertRefused(sample, run(sample, option.longestName() + "=x"),
                        option.longestName() + " x: this option takes no value");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void anOptionThatIsGivenTwiceIsRefused(String sample) {
        for (OptionSpec option : SAMPLES.get(sample).getCommandSpec().options()) {
            if (option.arity().min() > 0 && !option.isMultiValue()) {
                assertRefused(sample, run(sample, option.longestName() + "=1", option.longestName() + "=2"),
                        option.longestName() + " is given twice");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void aNumberThatIsNoneIsRefusedWithItsOption(String sample) {
        for (OptionSpec option : SAMPLES.get(sample).getCommandSpec().options()) {
            if (option.arity().min() > 0 && !TEXTS.contains(option.paramLabel())) {
                Run run = run(sample, option.longestName() + "=1e");
                String error = run.err();
                assertEquals(SAMPLES.get(sample).getCommandSpec().exitCodeOnInvalidInput(), run.status(), error);
                assertEquals(1, run.errors().size(), error);
                assertTrue(error.startsWith("samples/run " + sample + ": " + option.longestName() + " "), error);
                assertTrue(error.matches(".* 1e is not (an integer|a number|an MTU|outside).*\\d+.*\\R")
                        || error.contains("is not applicable"), error);
                assertTrue(error.contains("--help") || run.out().startsWith("Usage: "), error);
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "rc-pingpong            | --ib-dev",
        "send-lat --loopback    | --ib-dev",
        "devinfo                | --ib-dev"})
    void aWrongSelectorOfADeviceIsRefusedWithTheOption(String command, String option) {
        String sample = command.split(" ")[0];
        Run run = Run.of((command + " " + option + " soft:[x").split(" +"));

        assertEquals("samples/run " + sample + ": " + option + ": device selector \"soft:[x\": target \"[x\" is"
                + " malformed; the form is provider[:target][?key=value{&key=value}], an IPv6 target in brackets; see"
                + " docs/devices.md", run.err().strip());
        assertEquals(SAMPLES.get(sample).getCommandSpec().exitCodeOnInvalidInput(), run.status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"tour", "devinfo", "qp-memory", "cm-memory"})
    void aWrongSelectorInThePropertyIsRefusedWithItsName(String sample) {
        Run run = Run.on("soft:soft1?loss=1", sample);

        assertEquals("samples/run " + sample + ": system property jverbs.device: device selector \"soft:soft1?loss=1\":"
                + " unknown option \"loss\", as a device within this JVM takes none; the form is soft[:softN], N from 0"
                + " to 255, a device within this JVM; see docs/devices.md", run.err().strip());
        assertEquals(2, run.status());
    }

    @Test
    void aRecordingThatCannotBeReadIsRefusedWithTheReason() throws IOException {
        String allowed = "; allowed are recordings of Java Flight Recorder; see docs/observability.md";
        Path absent = folder.resolve("absent.jfr");
        assertRefused("timeline", Run.of("timeline", absent.toString()),
                "FILE " + absent + ": there is no such file" + allowed);
        assertRefused("timeline", Run.of("timeline", folder.toString()),
                "FILE " + folder + ": it is a directory" + allowed);
        Path secret = Files.createFile(folder.resolve("secret.jfr"));
        assumeFalse(!secret.toFile().setReadable(false) || Files.isReadable(secret), "this user may read every file");
        assertRefused("timeline", Run.of("timeline", secret.toString()),
                "FILE " + secret + ": this user may not read it" + allowed);
    }

    @Test
    void aPlotThatCannotBeWrittenIsRefusedBeforeAnythingRuns() throws IOException {
        Path directory = Files.createDirectory(folder.resolve("directory.png"));
        assertRefused("send-bw", Run.of("send-bw", "--loopback", "--plot", directory.toString()),
                "--plot " + directory + ": it exists and is not a writable file");
        Path file = Files.createFile(folder.resolve("file"));
        assertRefused("send-bw", Run.of("send-bw", "--loopback", "--plot", file.resolve("a.png").toString()),
                "--plot " + file.resolve("a.png") + ": " + file + " is not a writable folder");
        assertRefused("send-bw", Run.of("send-bw", "--loopback", "--plot", "a.gif"),
                "--plot a.gif: the name must end with .png or .svg");
    }

    private static Optional<String> refusal(String... namesAndValues) {
        Properties properties = new Properties();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            properties.setProperty(namesAndValues[i], namesAndValues[i + 1]);
        }
        return KnownProperties.refusal(properties);
    }

    @Test
    void anUnknownPropertyIsRefusedWithTheNearestOneAndThoseThereAre() {
        assertEquals(Optional.of("unknown system property jverbs.devise (did you mean jverbs.device?); allowed are"
                + " jverbs.capture, jverbs.device, jverbs.fault, jverbs.libibverbs, jverbs.librdmacm, jverbs.nio.rdma,"
                + " jverbs.nio.spin, jverbs.samples.log, jverbs.sim.seed, jverbs.soft.cm.divisor,"
                + " jverbs.soft.congestion, jverbs.soft.udp, jverbs.strict; see docs/tools.md"),
                refusal("jverbs.devise", "soft", "java.home", "/"));
    }

    @Test
    void anUnknownLevelOfTheLogIsRefusedWithTheLevels() {
        assertEquals(Optional.of("system property jverbs.samples.log=loud: allowed are OFF, ERROR, WARN, INFO, DEBUG,"
                + " TRACE, ALL; see docs/tools.md"), refusal(KnownProperties.LOG, "loud"));
        assertEquals(Optional.empty(), refusal(KnownProperties.LOG, "info"));
        assertEquals(Optional.empty(), refusal());
    }

    @Test
    void thePageDescribesEveryProperty() throws IOException {
        String page = Files.readString(Path.of("../docs/tools.md"));
        for (String name : SystemProperties.described().keySet()) {
            assertEquals(Optional.empty(), refusal(name, "x"));
            assertTrue(page.contains("`" + name + "`"), name);
        }
        assertTrue(page.contains("`" + KnownProperties.LOG + "`"));
    }
}
