package io.jverbs.samples.tour;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.QpType;
import io.jverbs.RdmaDevice;
import io.jverbs.Verbs;
import io.jverbs.VerbsException;
import io.jverbs.samples.Run;
import io.jverbs.samples.SamplesProcess;
import io.jverbs.samples.console.Screen;
import io.jverbs.samples.tour.operation.CorruptingOperation;
import io.jverbs.samples.tour.operation.NotSupported;
import io.jverbs.samples.tour.operation.Operation;
import io.jverbs.samples.tour.operation.Sides;
import io.jverbs.samples.tour.operation.WriteOperation;
import io.jverbs.samples.tour.operation.WrongOpcodeOperation;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TourTest {
    private static final Pattern ROW = Pattern.compile(
            "(?<name>.{20}) (?<type>RC|UC|UD)  +(?<size>\\d+) +(?<p50>[\\d.]+) +(?<p99>[\\d.]+) +(?<rate>[\\d,]+)  .*");
    private static final RdmaDevice DEVICE = Verbs.select("soft:soft6");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private boolean run(boolean terminal, Step... steps) {
        Tour tour = new Tour(DEVICE, new Screen(new PrintWriter(out, true), new PrintWriter(out, true), terminal),
                new PrintWriter(err, true), Duration.ofMillis(300));
        try (Sides sides = Sides.open(DEVICE)) {
            return tour.run(sides, List.of(steps));
        }
    }

    private static Step step(BiFunction<Sides, Integer, Operation> factory) {
        return new Step("test", QpType.RC, 64, "", factory);
    }

    private static Step write() {
        return new Step("WRITE", QpType.RC, 64, "", (sides, size) -> new WriteOperation(sides, QpType.RC, size));
    }

    @Test
    void aShortTourRunsEveryStepWithoutFailures() {
        Run run = Run.on("soft:soft6", "tour", "--seconds=1");

        assertEquals("", run.err());
        assertEquals(0, run.status());
        List<Step> steps = Steps.of(1 << 30, 4096);
        List<String> lines = run.lines();
        assertEquals(steps.size() + 2, lines.size(), run.out());
        assertTrue(lines.getFirst().matches("operation +QP +bytes +p50 us +p99 us +ops/s +MB/s"), lines.getFirst());
        for (int i = 0; i < steps.size(); i++) {
            var row = ROW.matcher(lines.get(i + 1));
            assertTrue(row.matches(), lines.get(i + 1));
            assertEquals(steps.get(i).name(), row.group("name").strip());
            assertEquals(steps.get(i).type().name(), row.group("type"));
            assertEquals(steps.get(i).size(), Integer.parseInt(row.group("size")));
            double median = Double.parseDouble(row.group("p50"));
            assertTrue(median > 0 && median <= Double.parseDouble(row.group("p99")), lines.get(i + 1));
        }
        assertTrue(lines.getLast().matches("soft:soft6: " + steps.size()
                + " operations passed; [\\d,]+ payloads, [\\d.]+ GB, checked byte by byte in [\\d.]+ s\\."),
                lines.getLast());
    }

    @Test
    void iterationsLostToNetworkFaultsAreReportedAndAreNoFailure() {
        Run run = Run.on("soft:sim?seed=1&network=tour&loss=0.01&duplicate=0.01&reorder=0.01,5us", "tour",
                "--seconds=1");

        assertEquals("", run.err());
        assertEquals(0, run.status());
        List<String> lines = run.lines();
        assertEquals(Steps.of(1 << 30, 4096).size() + 2, lines.size(), run.out());
        for (String line : lines.subList(1, lines.size() - 1)) {
            boolean lost = line.matches(".* [\\d,]+ of [\\d,]+ lost to network faults");
            assertTrue(ROW.matcher(line).matches() || lost, line);
            assertFalse(line.contains(" RC ") && lost && !line.startsWith("remote access error"), line);
        }
        assertTrue(lines.getLast().matches(".* iterations lost to network faults; .*"), lines.getLast());
    }

    @Test
    void theHeaderIsPrintedBeforeTheFirstStep() {
        assertTrue(run(false, step((sides, size) -> {
            assertTrue(out.toString().startsWith("operation"), out.toString());
            return new WriteOperation(sides, QpType.RC, size);
        })));
    }

    @Test
    void theStepsIncludeEveryOperationOfEveryService() {
        List<String> steps = Steps.of(1 << 30, 4096).stream().map(step -> step.type() + " " + step.name()).distinct()
                .toList();

        assertEquals(List.of("RC SEND/RECV", "RC WRITE", "RC WRITE_WITH_IMM", "RC READ", "RC ATOMIC_CMP_AND_SWP",
                "RC ATOMIC_FETCH_AND_ADD", "RC SEND/RECV by SRQ", "RC SEND/RECV by event", "RC remote access error",
                "UC SEND/RECV", "UC WRITE", "UC WRITE_WITH_IMM", "UD SEND/RECV", "UD multicast to 2"), steps);
    }

    @Test
    void noPayloadExceedsTheLimitsOfThePort() {
        assertTrue(Steps.of(4096, 1024).stream().allMatch(step -> step.size() <= 4096));
        assertTrue(Steps.of(4096, 1024).stream().filter(step -> step.type() == QpType.UD)
                .allMatch(step -> step.size() <= 1024));
    }

    @Test
    void oneCorruptedByteMakesTheTourFailAndIsReported() {
        boolean passed = run(false, write(), step((sides, size) -> new CorruptingOperation(sides, size, 17)));

        assertFalse(passed);
        assertTrue(err.toString().matches(
                "RC test, 64 bytes: byte 17 of the payload: expected 0x[0-9a-f]{2}, was 0x[0-9a-f]{2}\\R"),
                err.toString());
        assertTrue(out.toString().contains("FAILED"), out.toString());
        assertEquals("soft:soft6: 1 of 2 operations failed: see standard error.",
                out.toString().lines().toList().getLast());
    }

    @Test
    void aByteOutsideThePayloadMakesTheTourFail() {
        assertFalse(run(false, step((sides, size) -> new CorruptingOperation(sides, size, size))));
        assertTrue(err.toString().contains("byte 0 of the guard after the payload: expected 0xa5, was 0x"),
                err.toString());
    }

    @Test
    void anUnexpectedCompletionMakesTheTourFail() {
        assertFalse(run(false, step(WrongOpcodeOperation::new)));
        assertTrue(err.toString().contains("opcode: expected RDMA_READ, was RDMA_WRITE"), err.toString());
    }

    @Test
    void aVerbThatFailsMakesTheTourFailWithItsMessage() {
        assertFalse(run(false, step((sides, size) -> {
            throw VerbsException.outOfRange("create_qp", "maxSendWr", 0, 1, 2);
        })));
        assertEquals("RC test, 64 bytes: create_qp: EINVAL (22): maxSendWr 0 is outside 1..2", err.toString().strip());
    }

    @Test
    void anUnsupportedOperationIsReportedAndIsNoFailure() {
        assertTrue(run(false, write(), step((sides, size) -> {
            throw new NotSupported("the device has no such feature");
        })));
        assertTrue(out.toString().contains("not supported: the device has no such feature"), out.toString());
        assertTrue(out.toString().contains("soft:soft6: 1 operations passed, 1 not supported;"), out.toString());
    }

    @Test
    void onATerminalOnlyTheTableAndTheSummaryRemain() {
        assertTrue(run(true, write(), write()));

        assertTrue(out.toString().contains("\r"), "no progress was shown");
        List<String> left = Stream.of(out.toString().split("\n")).map(TourTest::whatATerminalShows).toList();
        assertEquals(4, left.size(), left.toString());
        assertTrue(left.getFirst().startsWith("operation"), out.toString());
        assertTrue(left.getLast().startsWith("soft:soft6: 2 operations passed;"), out.toString());
        assertTrue(left.stream().noneMatch(line -> line.contains("%")), left.toString());
    }

    /** {@return the text after the last carriage return, which overwrites blanks} */
    private static String whatATerminalShows(String line) {
        return line.substring(line.lastIndexOf('\r') + 1);
    }

    @Test
    void withoutATerminalNoProgressIsShown() {
        run(false, write());

        assertFalse(out.toString().contains("\r"));
    }

    @Test
    void aJvmWithoutNativeAccessRunsTheTourWithoutAWarning() throws Exception {
        Run run = SamplesProcess.sample(List.of("-Djverbs.device=soft"), List.of("tour", "--seconds=0.5"));

        assertEquals("", run.err());
        assertEquals(0, run.status(), run.out());
        assertTrue(run.out().contains("soft:soft0: "), run.out());
    }
}
