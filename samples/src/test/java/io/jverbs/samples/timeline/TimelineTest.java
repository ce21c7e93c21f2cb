package io.jverbs.samples.timeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.samples.Run;
import io.jverbs.samples.timeline.TimelineEvent.Kind;
import io.jverbs.samples.timeline.TimelineEvent.Lane;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The timeline of a recording, and the errors for other files. */
class TimelineTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static final String ALLOWED = "; allowed are recordings of Java Flight Recorder; see docs/observability.md;"
            + " samples/run timeline --help describes the options.";

    @TempDir
    private Path folder;

    private static TimelineEvent at(long millis, int number, Kind kind, String text, String state) {
        return new TimelineEvent(START.plusMillis(millis), new Lane("soft0", number), number + 1, kind, text, state);
    }

    @Test
    void aLaneShowsStatesAndTheMostImportantEvents() {
        StringWriter text = new StringWriter();
        new TextTimeline(new PrintWriter(text), 20, 4).print(List.of(at(0, 17, Kind.STATE, "INIT -> RTR", "RTR"),
                at(20, 17, Kind.STATE, "RTR -> RTS", "RTS"), at(50, 17, Kind.RNR_WAIT, "waits", null),
                at(51, 17, Kind.RETRANSMISSION, "retransmits", null), at(51, 99, Kind.NAK, "refused", null),
                at(90, 17, Kind.FAILURE, "RTS -> ERR by the device", "ERR"),
                at(100, 17, Kind.ERROR, "send 1", null)));

        assertEquals(String.join(System.lineSeparator(), "7 events of 2 queue pairs in 100.000 ms, from " + START, "",
                "soft0          17 -> 18       |----======R=======XE|",
                "soft0          99 -> 100      |..........N.........|",
                "", "_ INIT  - RTR  = RTS  ~ SQD  x ERR or SQE  . unknown",
                "W RNR wait  N NAK sent or received  R retransmission  E completion in error"
                        + "  X error state entered by the device",
                "", "     0.000 ms  soft0          17  s  INIT -> RTR",
                "    20.000 ms  soft0          17  s  RTR -> RTS", "    50.000 ms  soft0          17  W  waits",
                "    51.000 ms  soft0          17  R  retransmits", "... and 3 more: --events=7 prints all", ""),
                text.toString());
    }

    @Test
    void lanesAreAlignedHoweverLongTheNamesOfDevicesAre() {
        StringWriter text = new StringWriter();
        new TextTimeline(new PrintWriter(text), 20, 4).print(List.of(at(0, 17, Kind.STATE, "INIT -> RTR", "RTR"),
                new TimelineEvent(START, new Lane("sim0?seed=7&loss=0.1", 18), 17, Kind.STATE, "INIT -> RTR", "RTR")));

        List<String> lines = text.toString().lines().toList();
        assertEquals("soft0                      17 -> 18       |--------------------|", lines.get(2));
        assertEquals("sim0?seed=7&loss=0.1       18 -> 17       |--------------------|", lines.get(3));
        assertEquals("     0.000 ms  soft0                      17  s  INIT -> RTR", lines.get(7));
    }

    /** An event of another version, or of the program itself, with the name of a queue pair event. */
    @Name("io.jverbs.QueuePairState")
    static final class ForeignEvent extends Event {
        String from = "INIT";
    }

    @Test
    void foreignEventsAreSkippedAndCounted() throws Exception {
        Path file = folder.resolve("foreign.jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            new ForeignEvent().commit();
            new ForeignEvent().commit();
            recording.dump(file);
        }
        Run run = Run.of("timeline", file.toString());

        assertEquals(1, run.status());
        assertEquals("samples/run timeline: the recording has no events of queue pairs; 2 events named io.jverbs.* were"
                + " skipped: another version or program wrote them", run.err().strip());
    }

    @Test
    void theDemonstrationShowsThreeFailuresWithTheirReasons() {
        Run run = Run.of("timeline", "--demo");

        assertEquals("", run.err());
        assertEquals(0, run.status());
        assertTrue(run.lines().getFirst().matches("[0-9]+ events of [0-9]+ queue pairs in [0-9.]+ ms, from .*"),
                run.out());
        for (String sentence : List.of("RESET -> INIT", "RTS -> ERR by the device",
                "waits 2560 us for a receive of its peer",
                "no response in time, retries left 0", "RNR_RETRY_EXC_ERR: queue pair", "RETRY_EXC_ERR: queue pair",
                "REM_ACCESS_ERR: queue pair", "and 6 more: WR_FLUSH_ERR", "send_rnr_err")) {
            assertTrue(run.out().contains(sentence), () -> sentence + " is not in\n" + run.out());
        }
    }

    @Test
    void aRecordingWithoutQueuePairsIsRefused() throws Exception {
        Path file = folder.resolve("empty.jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            recording.dump(file);
        }
        Run run = Run.of("timeline", file.toString());

        assertEquals(1, run.status());
        assertEquals("samples/run timeline: the recording has no events of queue pairs: no state change,"
                + " retransmission or error was recorded", run.err().strip());
    }

    @Test
    void aFileThatIsNotARecordingIsRefused() throws Exception {
        Run absent = Run.of("timeline", folder.resolve("absent.jfr").toString());
        assertEquals(2, absent.status());
        assertEquals("samples/run timeline: FILE " + folder.resolve("absent.jfr") + ": there is no such file" + ALLOWED,
                absent.err().strip());
        Run directory = Run.of("timeline", folder.toString());
        assertEquals(2, directory.status());
        assertEquals("samples/run timeline: FILE " + folder + ": it is a directory" + ALLOWED, directory.err().strip());
        Path file = Files.writeString(folder.resolve("text.jfr"), "no recording");
        Run other = Run.of("timeline", file.toString());
        assertEquals(2, other.status());
        assertTrue(other.err().startsWith("samples/run timeline: FILE " + file + ": it cannot be read as one (")
                && other.err().strip().endsWith(ALLOWED), other.err());
        assertEquals(1, other.errors().size());
    }

    @Test
    void wrongArgumentsAreRefused() {
        for (List<String> arguments : List.of(List.of("timeline"), List.of("timeline", "--demo", "x.jfr"),
                List.of("timeline", "--demo", "--width=19"), List.of("timeline", "--demo", "--events=-1"))) {
            Run run = Run.of(arguments.toArray(String[]::new));
            assertEquals(2, run.status(), arguments::toString);
            assertFalse(run.err().isEmpty());
        }
    }
}
