package io.jverbs.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SamplesTest {
    @ParameterizedTest
    @ValueSource(strings = {"devinfo", "tour", "rc-pingpong", "uc-pingpong", "ud-pingpong", "srq-pingpong",
        "qp-memory", "cm-memory", "timeline", "top", "send-lat", "send-bw", "write-lat", "write-bw", "read-lat",
        "read-bw", "atomic-lat", "atomic-bw", "rstream", "riostream", "rcopy", "udpong", "http-server", "netty-echo"})
    void withoutANameEverySampleIsListedInOneLine(String name) {
        Run run = Run.of();

        assertEquals(0, run.status());
        assertEquals(1, run.lines().stream().filter(line -> line.matches("  " + name + " +[A-Z].*\\.")).count());
        assertEquals("", run.err());
    }

    @ParameterizedTest
    @CsvSource({"tuor, tour", "ib_write_bw, write-bw", "ibv_rc_pingpong, rc-pingpong", "DevInfo, devinfo"})
    void aMisspelledNameIsRefusedWithTheNearestName(String name, String nearest) {
        Run run = Run.of(name, "-s", "8");

        assertEquals(2, run.status());
        assertEquals("samples/run: there is no sample " + name + " (did you mean " + nearest
                + "?); samples/run without a name lists the samples.", run.err().strip());
        assertEquals("", run.out());
    }

    @Test
    void aNameThatIsNearNoSampleIsRefusedWithoutASuggestion() {
        Run run = Run.of("benchmark");

        assertEquals(2, run.status());
        assertEquals("samples/run: there is no sample benchmark; samples/run without a name lists the samples.",
                run.err().strip());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "devinfo --verbos     | unknown option --verbos (did you mean --verbose?); allowed are --help, --ib-dev,"
                + " --ib-port, --list, --verbose",
        "devinfo --colour=red | unknown option --colour; allowed are --help, --ib-dev, --ib-port, --list, --verbose",
        "devinfo soft0        | unexpected argument soft0; only options are allowed",
        "devinfo -i           | --ib-port needs a value, PORT",
        "devinfo -i first     | --ib-port first is not an integer in 1..255",
        "qp-memory -n 0       | --count 0 is outside 1..16777216",
        "cm-memory -n -1      | --count -1 is outside 1..4194304",
        "timeline -w 19 x.jfr | --width 19 is outside 20..1000",
        "timeline             | give either FILE or --demo",
        "top one              | PID one is not an integer",
        "devinfo -i 1 -i 2    | --ib-port is given twice",
        "devinfo --list=yes   | --list yes: this option takes no value",
        "devinfo -i -v        | --ib-port needs a value, PORT",
        "devinfo @options     | unexpected argument @options; only options are allowed",
        "top 1 2              | unexpected argument 2; only PID and options are allowed",
        "top --demo -d 0      | --delay 0 is not a number in 0.1..3600",
        "top --demo -n none   | --count none is not an integer in 1..2147483647",
        "tour --seconds x     | --seconds x is not a number in 0..3600"})
    void aWrongArgumentIsRefusedWithItsValueAndWhatIsAllowed(String command, String sentence) {
        String sample = command.split(" ")[0];
        Run run = Run.of(command.strip().split(" +"));

        assertEquals("samples/run " + sample + ": " + sentence + "; samples/run " + sample
                + " --help describes the options.", run.err().strip());
        assertEquals(2, run.status());
        assertEquals("", run.out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"devinfo", "tour"})
    void aBadSelectorIsRefusedInOneSentenceThatGivesTheForm(String sample) {
        Run run = Run.on("soft:[nonsense", sample);

        assertEquals(2, run.status());
        assertEquals(1, run.errors().size());
        assertTrue(run.err().contains("provider[:target][?key=value{&key=value}]"), run.err());
        assertEquals("", run.out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"devinfo", "tour"})
    void anUnknownProviderIsRefusedWithThoseThereAre(String sample) {
        Run run = Run.on("hardware", sample);

        assertEquals(1, run.status());
        assertEquals(1, run.errors().size());
        assertTrue(run.err().contains("available: auto, "), run.err());
    }

    @ParameterizedTest
    @ValueSource(strings = {"devinfo", "tour", "rc-pingpong", "uc-pingpong", "ud-pingpong", "srq-pingpong",
        "qp-memory", "cm-memory", "timeline", "top", "send-lat", "send-bw", "write-lat", "write-bw", "read-lat",
        "read-bw", "atomic-lat", "atomic-bw", "rstream", "riostream", "rcopy", "udpong", "http-server", "netty-echo"})
    void everySampleDescribesItsOptions(String name) {
        Run run = Run.of(name, "--help");

        assertEquals(0, run.status());
        assertTrue(run.out().startsWith("Usage: samples/run " + name), run.out());
    }
}
