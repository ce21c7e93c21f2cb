package io.jverbs.bench.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each wrong option, value, file and property of bench/run is refused before anything runs, with status 2 and one
 * sentence on standard error that has the option, its value, what is allowed, and where to read more.
 */
class OptionMessagesTest {
    private static final String HELP = "; bench/run --help describes the options.";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    Path folder;

    private void assertRefused(String sentence, String... args) {
        assertEquals(sentence, refusal(args));
    }

    /** {@return the sentence on standard error} */
    private String refusal(String... args) {
        int status = Bench.run(new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8), args);
        String error = err.toString(StandardCharsets.UTF_8);
        assertEquals(2, status, error);
        assertEquals(1, error.lines().count(), error);
        assertEquals("", out.toString(StandardCharsets.UTF_8));
        assertTrue(error.startsWith("bench/run: "), error);
        return error.strip().substring("bench/run: ".length());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--quik              | unknown option --quik; allowed are --quick, --bars, --charts, --results,"
                + " -Dproperty=value and the options of JMH",
        "-rff                | -rff needs a value, a file",
        "-o                  | -o needs a value, a file",
        "--charts            | --charts needs a value, a folder",
        "--results           | --results needs a value, a file",
        "--results a.json    | --results needs --charts",
        "--charts none/here  | --charts none/here is not a writable folder",
        "--charts . --results none.json | --results none.json is not a readable file",
        "--charts . --results . | --results . is not a readable file",
        "--charts . --results pom.xml -f 5 | -f cannot be given with --results, which runs no benchmarks; allowed is"
                + " --charts",
        "--charts . --quick --results pom.xml | --quick cannot be given with --results, which runs no benchmarks;"
                + " allowed is --charts",
        "--charts . --results pom.xml | --results pom.xml: it has not the JSON format of JMH's results",
        "--charts . wire.Latency | --charts selects the benchmarks, their modes and parameters; regular expressions,"
                + " -e, -bm and -p cannot be given with it",
        "--charts . -p bytes=8 | --charts selects the benchmarks, their modes and parameters; regular expressions,"
                + " -e, -bm and -p cannot be given with it",
        "--charts . -bm avgt | --charts selects the benchmarks, their modes and parameters; regular expressions,"
                + " -e, -bm and -p cannot be given with it",
        "-rf                 | -rf needs a value, a format",
        "-p                  | -p needs a value, name=value{,value}",
        "-p bytes            | -p bytes is not name=value{,value}",
        "-p =8               | -p =8 is not name=value{,value}",
        "-p size=8 PollEmpty | -p size: the selected benchmarks have no such parameter; allowed are none",
        "-p size=8 datapath.Write.prepared | -p size: the selected benchmarks have no such parameter; allowed"
                + " are bytes",
        "-p bytes=abc datapath.Write.prepared | -p bytes=abc: \"abc\" is not a value of bytes; allowed are integers"
                + " from 1 to 1073741824; see docs/benchmarks.md",
        "-p bytes=8,0 datapath.Write.prepared | -p bytes=0: \"0\" is not a value of bytes; allowed are integers from 1"
                + " to 1073741824; see docs/benchmarks.md",
        "-p inlineBytes=99999 Inline | -p inlineBytes=99999: \"99999\" is not a value of inlineBytes; allowed are"
                + " integers from 1 to 64; see docs/benchmarks.md",
        "-p bytes=65001 wire.Latency.tcp | -p bytes=65001: \"65001\" is not a value of bytes; allowed are integers"
                + " from 1 to 65000; see docs/benchmarks.md",
        "-p capture=always Captured | -p capture=always: \"always\" is not a value of capture; allowed are never,"
                + " ended, ring, file; see docs/benchmarks.md",
        "-p operation=SUB AtomicVariants | -p operation=SUB: \"SUB\" is not a value of operation; allowed are"
                + " FETCH_ADD, CAS; see docs/benchmarks.md",
        "-p handles=fast NativeCalls | -p handles=fast: \"fast\" is not a value of handles; allowed are critical,"
                + " plain; see docs/benchmarks.md",
        "-rf xls             | -rf xls is not a format; allowed are [TEXT, CSV, SCSV, JSON, LATEX]",
        "datapath.(          | datapath.( is not a regular expression of Java: Unclosed group",
        "-e [a               | [a is not a regular expression of Java: Unclosed character class",
        "NoSuchBenchmark     | no benchmark matches [NoSuchBenchmark]; -l lists the benchmarks"})
    void aWrongArgumentIsRefusedWithItsValueAndWhatIsAllowed(String command, String sentence) {
        assertRefused(sentence + HELP, command.split(" "));
    }

    @ParameterizedTest
    @CsvSource({"-f, x", "-f, -1", "-i, many", "-t, x", "-w, 5parsecs", "-bm, fast", "-tu, weeks"})
    void aWrongValueOfAnOptionOfJmhIsRefusedWithTheValue(String option, String value) {
        String sentence = refusal(option, value, "PollEmpty");

        assertTrue(sentence.contains(value) && sentence.endsWith(HELP), sentence);
    }

    @Test
    void anUnknownProfilerIsRefused() {
        String sentence = refusal("-prof", "nothing", "PollEmpty");

        assertTrue(sentence.startsWith("-prof nothing: ") && sentence.endsWith("; -lprof lists the profilers" + HELP),
                sentence);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-rff", "-o"})
    void aFileThatCannotBeWrittenIsRefusedWithTheReason(String option) throws IOException {
        assertRefused(option + " " + folder + " is a folder; allowed is a file in a writable folder" + HELP, option,
                folder.toString(), "PollEmpty");
        Path absent = folder.resolve("none/results.json");
        err.reset();
        assertRefused(option + " " + absent + ": " + absent.getParent() + " is not a writable folder" + HELP, option,
                absent.toString(), "PollEmpty");
        Path below = Files.createFile(folder.resolve("file")).resolve("results.json");
        err.reset();
        assertRefused(option + " " + below + ": " + below.getParent() + " is not a writable folder" + HELP, option,
                below.toString(), "PollEmpty");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '~', value = {
        "jverbs.device   ~ soft:[x  ~ : device selector \"soft:[x\": target \"[x\" is malformed; the form is"
                + " provider[:target][?key=value{&key=value}], an IPv6 target in brackets; see docs/devices.md",
        "jverbs.device   ~ soft:abc ~ : device selector \"soft:abc\": target \"abc\" is not a software device; the form"
                + " is soft[:softN], N from 0 to 255, a device within this JVM; soft:A.B.C.D[?fabric=wire] or"
                + " soft:[A:B::C][?fabric=wire], a device at an IPv4 or IPv6 address of this machine, which"
                + " also takes congestion=window|dcqcn; soft:simN[?seed=S], a device of a simulated network; see"
                + " docs/devices.md",
        "jverbs.soft.udp ~ epoll    ~ =epoll: allowed are auto, nio, linux; see docs/devices.md"})
    void aWrongPropertyIsRefusedWithItsNameAndThePage(String name, String value, String sentence) {
        String before = System.setProperty(name, value);
        try {
            assertRefused("system property " + name + sentence, "wire.Latency.sendNio");
        } finally {
            if (before == null) {
                System.clearProperty(name);
            } else {
                System.setProperty(name, before);
            }
        }
    }

    @Test
    void anUnknownPropertyIsRefusedWithThoseThereAre() {
        Properties given = new Properties();
        given.setProperty("jverbs.soft.udp", "nio");
        given.setProperty("java.home", "/");
        assertEquals(Optional.empty(), Bench.unknownProperty(given));
        given.setProperty("jverbs.devise", "soft");
        assertEquals(Optional.of("unknown system property jverbs.devise; allowed are jverbs.capture, jverbs.device,"
                + " jverbs.fault, jverbs.libibverbs, jverbs.librdmacm, jverbs.nio.rdma, jverbs.nio.spin,"
                + " jverbs.sim.seed, jverbs.soft.cm.divisor, jverbs.soft.congestion, jverbs.soft.udp, jverbs.strict;"
                + " see docs/tools.md"),
                Bench.unknownProperty(given));
    }
}
