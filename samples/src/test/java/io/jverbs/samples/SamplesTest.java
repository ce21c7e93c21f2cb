package io.jverbs.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SamplesTest {
    @ParameterizedTest
    @ValueSource(strings = {"devinfo", "tour", "rc-pingpong", "uc-pingpong", "ud-pingpong", "srq-pingpong",
        "qp-memory", "timeline", "top", "send-lat", "send-bw", "write-lat", "write-bw", "read-lat", "read-bw",
        "atomic-lat", "atomic-bw"})
    void withoutANameEverySampleIsListedInOneLine(String name) {
        Run run = Run.of();

        assertEquals(0, run.status());
        assertEquals(1, run.lines().stream().filter(line -> line.matches("  " + name + " +[A-Z].*\\.")).count());
        assertEquals("", run.err());
    }

    @Test
    void anUnknownNameIsRefusedInOneSentence() {
        Run run = Run.of("ib_write_bw", "-s", "8");

        assertEquals(2, run.status());
        assertEquals("samples/run: there is no sample \"ib_write_bw\"; samples/run alone lists those there are.",
                run.err().strip());
        assertEquals("", run.out());
    }

    @Test
    void anUnknownOptionIsRefusedInOneSentence() {
        Run run = Run.of("devinfo", "--colour");

        assertEquals(2, run.status());
        assertEquals(1, run.complaints().size());
        assertTrue(run.err().contains("'--colour'"), run.err());
    }

    @ParameterizedTest
    @ValueSource(strings = {"devinfo", "tour"})
    void aBadSelectorIsRefusedInOneSentenceThatGivesTheForm(String sample) {
        Run run = Run.on("soft:[nonsense", sample);

        assertEquals(1, run.status());
        assertEquals(1, run.complaints().size());
        assertTrue(run.err().contains("provider[:target][?key=value{&key=value}]"), run.err());
        assertEquals("", run.out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"devinfo", "tour"})
    void anUnknownProviderIsRefusedWithThoseThereAre(String sample) {
        Run run = Run.on("hardware", sample);

        assertEquals(1, run.status());
        assertEquals(1, run.complaints().size());
        assertTrue(run.err().contains("there are: auto, "), run.err());
    }

    @ParameterizedTest
    @ValueSource(strings = {"devinfo", "tour", "rc-pingpong", "uc-pingpong", "ud-pingpong", "srq-pingpong",
        "qp-memory", "timeline", "top", "send-lat", "send-bw", "write-lat", "write-bw", "read-lat", "read-bw",
        "atomic-lat", "atomic-bw"})
    void everySampleTellsItsOptions(String name) {
        Run run = Run.of(name, "--help");

        assertEquals(0, run.status());
        assertTrue(run.out().startsWith("Usage: samples/run " + name), run.out());
    }
}
