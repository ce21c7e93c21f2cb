package io.jverbs.samples.tour;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.QpType;
import io.jverbs.RdmaDevice;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.VerbsException;
import io.jverbs.WcOpcode;
import io.jverbs.WrOpcode;
import io.jverbs.samples.Run;
import io.jverbs.samples.Samples;
import io.jverbs.samples.SamplesProcess;
import io.jverbs.samples.Screen;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
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

    private boolean visit(boolean terminal, Stop... stops) {
        Tour tour = new Tour(DEVICE, new Screen(new PrintWriter(out, true), new PrintWriter(out, true), terminal),
                new PrintWriter(err, true),
                Duration.ofMillis(300));
        try (Sides sides = Sides.open(DEVICE)) {
            return tour.visit(sides, List.of(stops));
        }
    }

    private static Stop stop(BiFunction<Sides, Integer, Operation> factory) {
        return new Stop("test", QpType.RC, 64, "", factory);
    }

    private static Stop write() {
        return new Stop("WRITE", QpType.RC, 64, "", (sides, size) -> new WriteOperation(sides, QpType.RC, size));
    }

    @Test
    void aShortTourVisitsEveryStopAndFindsNothingWrong() {
        Run run = Run.on("soft:soft6", "tour", "--seconds=1");

        assertEquals("", run.err());
        assertEquals(0, run.status());
        List<Stop> stops = Itinerary.of(1 << 30, 4096);
        List<String> lines = run.lines();
        assertEquals(stops.size() + 2, lines.size(), run.out());
        assertTrue(lines.getFirst().matches("operation +QP +bytes +p50 us +p99 us +ops/s +MB/s"), lines.getFirst());
        for (int i = 0; i < stops.size(); i++) {
            var row = ROW.matcher(lines.get(i + 1));
            assertTrue(row.matches(), lines.get(i + 1));
            assertEquals(stops.get(i).name(), row.group("name").strip());
            assertEquals(stops.get(i).type().name(), row.group("type"));
            assertEquals(stops.get(i).size(), Integer.parseInt(row.group("size")));
            double median = Double.parseDouble(row.group("p50"));
            assertTrue(median > 0 && median <= Double.parseDouble(row.group("p99")), lines.get(i + 1));
        }
        assertTrue(lines.getLast().matches("soft:soft6: " + stops.size()
                + " operations as they should be; [\\d,]+ payloads, [\\d.]+ GB, checked byte by byte in [\\d.]+ s\\."),
                lines.getLast());
    }

    @Test
    void whatANetworkWithFaultsSpoilsIsToldAndIsNotWrong() {
        Run run = Run.on("soft:sim?seed=1&network=tour&loss=0.01&duplicate=0.01&reorder=0.01,5us", "tour",
                "--seconds=1");

        assertEquals("", run.err());
        assertEquals(0, run.status());
        List<String> lines = run.lines();
        assertEquals(Itinerary.of(1 << 30, 4096).size() + 2, lines.size(), run.out());
        for (String line : lines.subList(1, lines.size() - 1)) {
            boolean spoilt = line.matches(".* [\\d,]+ of [\\d,]+ spoilt by the network");
            assertTrue(ROW.matcher(line).matches() || spoilt, line);
            assertFalse(line.contains(" RC ") && spoilt && !line.startsWith("remote access error"), line);
        }
        assertTrue(lines.getLast().matches(".* iterations spoilt by the network; .*"), lines.getLast());
    }

    @Test
    void theHeaderIsThereBeforeAnythingIsDone() {
        assertTrue(visit(false, stop((sides, size) -> {
            assertTrue(out.toString().startsWith("operation"), out.toString());
            return new WriteOperation(sides, QpType.RC, size);
        })));
    }

    @Test
    void theItineraryHasEveryOperationOfEveryService() {
        List<String> visited = Itinerary.of(1 << 30, 4096).stream().map(stop -> stop.type() + " " + stop.name())
                .distinct().toList();

        assertEquals(List.of("RC SEND/RECV", "RC WRITE", "RC WRITE_WITH_IMM", "RC READ", "RC ATOMIC_CMP_AND_SWP",
                "RC ATOMIC_FETCH_AND_ADD", "RC SEND/RECV by SRQ", "RC SEND/RECV by event", "RC remote access error",
                "UC SEND/RECV", "UC WRITE", "UC WRITE_WITH_IMM", "UD SEND/RECV", "UD multicast to 2"), visited);
    }

    @Test
    void noPayloadIsLongerThanThePortTakes() {
        assertTrue(Itinerary.of(4096, 1024).stream().allMatch(stop -> stop.size() <= 4096));
        assertTrue(Itinerary.of(4096, 1024).stream().filter(stop -> stop.type() == QpType.UD)
                .allMatch(stop -> stop.size() <= 1024));
    }

    @Test
    void oneCorruptedByteMakesTheTourFailAndIsNamed() {
        boolean good = visit(false, write(), stop((sides, size) -> new Corrupted(sides, size, 17)));

        assertFalse(good);
        assertTrue(err.toString().matches(
                "RC test, 64 bytes: byte 17 of the payload: expected 0x[0-9a-f]{2}, came 0x[0-9a-f]{2}\\R"),
                err.toString());
        assertTrue(out.toString().contains("WRONG"), out.toString());
        assertEquals("soft:soft6: 1 of 2 operations went wrong, as told on standard error.",
                out.toString().lines().toList().getLast());
    }

    @Test
    void aByteOutsideThePayloadMakesTheTourFail() {
        assertFalse(visit(false, stop((sides, size) -> new Corrupted(sides, size, size))));
        assertTrue(err.toString().contains("byte 0 of the guard behind the payload: expected 0xa5, came 0x"),
                err.toString());
    }

    @Test
    void anUnexpectedCompletionMakesTheTourFail() {
        assertFalse(visit(false, stop(WrongOpcode::new)));
        assertTrue(err.toString().contains("opcode: expected RDMA_READ, came RDMA_WRITE"), err.toString());
    }

    @Test
    void aVerbThatFailsMakesTheTourFailWithItsMessage() {
        assertFalse(visit(false, stop((sides, size) -> {
            throw VerbsException.outOfRange("create_qp", "maxSendWr", 0, 1, 2);
        })));
        assertEquals("RC test, 64 bytes: create_qp: EINVAL (22): maxSendWr 0 is outside 1..2", err.toString().strip());
    }

    @Test
    void whatADeviceLacksIsSaidAndIsNotWrong() {
        assertTrue(visit(false, write(), stop((sides, size) -> {
            throw new NotOffered("the device has no such thing");
        })));
        assertTrue(out.toString().contains("not offered: the device has no such thing"), out.toString());
        assertTrue(out.toString().contains("soft:soft6: 1 operations as they should be, 1 not offered;"),
                out.toString());
    }

    @Test
    void onATerminalNothingButTheTableAndTheSummaryIsLeft() {
        assertTrue(visit(true, write(), write()));

        assertTrue(out.toString().contains("\r"), "no progress was shown");
        List<String> left = Stream.of(out.toString().split("\n")).map(TourTest::whatATerminalShows).toList();
        assertEquals(4, left.size(), left.toString());
        assertTrue(left.getFirst().startsWith("operation"), out.toString());
        assertTrue(left.getLast().startsWith("soft:soft6: 2 operations as they should be;"),
                out.toString());
        assertTrue(left.stream().noneMatch(line -> line.contains("%")), left.toString());
    }

    /** The text after the last carriage return, over blanks. */
    private static String whatATerminalShows(String line) {
        return line.substring(line.lastIndexOf('\r') + 1);
    }

    @Test
    void withoutATerminalNoProgressIsShown() {
        visit(false, write());

        assertFalse(out.toString().contains("\r"));
    }

    @Test
    void aJvmWithoutNativeAccessRunsTheTourWithoutAWarning() throws Exception {
        Run run = SamplesProcess.run(SamplesProcess.classPath(), List.of("-Djverbs.device=soft"),
                Samples.class.getName(), List.of("tour", "--seconds=0.5"));

        assertEquals("", run.err());
        assertEquals(0, run.status(), run.out());
        assertTrue(run.out().contains("soft:soft0: "), run.out());
    }

    /** A transfer that gets one byte wrong. */
    private static final class Corrupted implements Operation {
        private final Buffer target;
        private final int at;
        private int size;
        private long seed;

        Corrupted(Sides sides, int largest, int at) {
            this.target = Buffer.allocate(sides.right().pd(), largest, Access.LOCAL_WRITE);
            this.at = at;
        }

        @Override
        public void prepare(int size, long seed) {
            this.size = size;
            this.seed = seed;
            target.guard(size);
        }

        @Override
        public void run() {
            target.fill(size, seed);
            MemorySegment memory = target.payload(at + 1);
            memory.set(ValueLayout.JAVA_BYTE, at, (byte) ~memory.get(ValueLayout.JAVA_BYTE, at));
        }

        @Override
        public void check() {
            target.check(size, seed);
        }

        @Override
        public void close() {
            target.close();
        }
    }

    /** Waits for something else than what it posted. */
    private static final class WrongOpcode implements Operation {
        private final ConnectedPair pair;

        WrongOpcode(Sides sides, int largest) {
            pair = ConnectedPair.open(QpType.RC, sides);
        }

        @Override
        public void prepare(int size, long seed) {
            // nothing to prepare
        }

        @Override
        public void run() {
            pair.left().postSend(SendWorkRequest.create(0).opcode(WrOpcode.RDMA_WRITE)
                    .flags(SendFlags.SIGNALED).remote(0, 0).wrId(1));
            pair.leftDone().expect(1, WcOpcode.RDMA_READ);
        }

        @Override
        public void check() {
            // run() does not come to an end
        }

        @Override
        public void close() {
            pair.close();
        }
    }
}
