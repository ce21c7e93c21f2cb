package io.jverbs.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Mode;

/** The report of made-up results. */
class ReportTest {
    private static final double MANY = 1e6;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Set<String> selected = new HashSet<>();

    private static Score score(String benchmark, Map<String, String> params, double bytesPerOp, double operations,
            double... rounds) {
        return new Score(benchmark, Mode.AverageTime, params, rounds, 0.25, bytesPerOp, operations, null, null);
    }

    private static Score write(String method, double bytesPerOp, double... rounds) {
        return score("datapath.Write." + method, Map.of("bytes", "8"), bytesPerOp, MANY, rounds);
    }

    private Verdict report(boolean inJvm, Score... scores) {
        Arrays.stream(scores).forEach(score -> selected.add(score.benchmark() + score.params()));
        return new Report(List.of(scores), inJvm, (benchmark, mode, params) -> selected.contains(benchmark + params))
                .print(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    }

    private String line(String beginning) {
        return bytes.toString(StandardCharsets.UTF_8).lines().filter(line -> line.strip().startsWith(beginning))
                .findFirst().orElse("no line begins with " + beginning);
    }

    @Test
    void aBenchmarkIsPrintedWithItsBaseline() {
        report(true, write("handWritten", 0, 20, 20, 20), write("prepared", 0, 30, 30, 30));

        assertEquals("prepared bytes=8 30.0 ns 0.25 ns handWritten 20.0 ns 1.50 1.50x holds 0.00",
                line("prepared").strip().replaceAll(" +", " "));
    }

    @Test
    void aBarOfATimeDoesNotDependOnTheBaseline() {
        Map<String, String> path = Map.of("path", "JVM");
        Score tcp = score("connection.Connect.tcp", path, 0, MANY, 1, 1, 1);

        assertEquals(List.of(), report(true, tcp,
                score("connection.Connect.endpoints", path, 0, MANY, 39_000, 40_000, 90_000)).missed());
        assertTrue(line("endpoints").contains("40.0 us holds"), line("endpoints"));
        assertEquals(1, report(true, tcp,
                score("connection.Connect.endpoints", path, 0, MANY, 39_000, 41_000, 41_000)).missed().size());
    }

    @Test
    void theRatioIsTheMedianOfTheRatiosOfTheRounds() {
        // load affected both in the second round, and the benchmark in the third
        Verdict verdict = report(true, write("handWritten", 0, 20, 200, 20), write("prepared", 0, 30, 300, 80));

        assertTrue(line("prepared").contains(" 1.50 "), line("prepared"));
        assertEquals(List.of(), verdict.missed());
    }

    @Test
    void aMissedBarIsReported() {
        Verdict verdict = report(true, write("handWritten", 0, 20), write("prepared", 0, 36));

        assertTrue(line("prepared").contains("1.80x MISSED"), line("prepared"));
        assertEquals(List.of("in-JVM WRITE 8 B, prepared, post + poll, one thread: at most 1.75x the hand-written"
                + " baseline"), verdict.missed());
    }

    @Test
    void aBarThatWasSelectedButNotMeasuredIsMissed() {
        selected.add("datapath.Write.prepared" + Map.of("bytes", "8"));
        Verdict verdict = report(true, write("handWritten", 0, 20));

        assertTrue(line("in-JVM WRITE 8 B").endsWith("not measured"), line("in-JVM WRITE 8 B"));
        assertEquals(1, verdict.missed().size());
    }

    @Test
    void anUnsteadyRatioIsMarked() {
        report(true, write("handWritten", 0, 20, 20, 20, 10, 60), write("prepared", 0, 30, 30, 90, 90, 30));

        assertTrue(line("in-JVM WRITE 8 B").endsWith("1.50x holds?"), line("in-JVM WRITE 8 B"));
        assertTrue(line("?:").contains("measure again"), line("?:"));
    }

    @Test
    void barsWithinOneJvmAreForTheSoftwareDeviceOnly() {
        Verdict verdict = report(false, write("handWritten", 0, 20), write("prepared", 0, 36));

        assertEquals(List.of(), verdict.missed());
    }

    /** The median of the same benchmark has a bar of its own. */
    @Test
    void aPercentileIsComparedWithThatOfTheBaseline() {
        Score datagrams = busy("datagrams", 20_000);

        assertEquals(List.of(), report(true, datagrams, busy("sendNio", 60_000)).missed());
        assertTrue(line("RoCEv2 64 B ping-pong beside busy loops: 1, p99").endsWith("p99 3.00x holds"),
                line("RoCEv2 64 B ping-pong beside busy loops: 1, p99"));
        assertEquals(List.of("RoCEv2 64 B ping-pong beside busy loops: 1, p99, nio: at most 3x the plain datagram"
                + " ping-pong beside them"), report(true, datagrams, busy("sendNio", 61_000)).missed());
    }

    private static Score busy(String method, double p99) {
        return new Score("busy.BusyLatency." + method, Mode.SampleTime, Map.of("bytes", "64", "loops", "1"),
                new double[] {10_000}, 0.25, Double.NaN, MANY, new double[] {10_000, 12_000, p99, 80_000, 90_000},
                null);
    }

    @Test
    void aSpeedIsComparedAsSpeed() {
        Map<String, String> large = Map.of("bytes", "1048576");
        Verdict verdict = report(true, score("datapath.Write.copy", large, 0, MANY, 95),
                score("datapath.Write.prepared", large, 0, MANY, 101));

        assertTrue(line("in-JVM WRITE 1 MiB").endsWith("94 % MISSED"), line("in-JVM WRITE 1 MiB"));
        assertEquals(1, verdict.missed().size());
    }

    @Test
    void theDifferenceFromCIsCompared() {
        Map<String, String> critical = Map.of("handles", "critical");
        report(true, score("nativedevice.NativeCalls.postSendInC", Map.of(), 0, MANY, 2),
                score("nativedevice.NativeCalls.postSend", critical, 0, MANY, 6.5));

        assertTrue(line("native prepared post_send").endsWith("4.50 ns holds"), line("native prepared post_send"));
    }

    @Test
    void anAllocationIsReported() {
        Verdict verdict = report(true, write("handWritten", 0, 20), write("prepared", 16, 30));

        assertEquals(List.of("datapath.Write.prepared bytes=8 allocates 16.0 B/op"), verdict.allocations());
    }

    @Test
    void allocationsOfJmhItselfAreIgnored() {
        Score few = score("datapath.Write.prepared", Map.of("bytes", "1048576"), 1.4, 5_000, 20_000);

        assertEquals(List.of(), report(true, few).allocations());
        Score planted = score("datapath.Write.prepared", Map.of("bytes", "1048576"), 16 + 1.4, 5_000, 20_000);
        assertEquals(1, report(true, planted).allocations().size());
    }

    @Test
    void anUnmeasuredAllocationIsReportedAsUnknown() {
        assertEquals(List.of("datapath.Write.prepared bytes=8 allocates an unknown number of bytes"),
                report(true, write("prepared", Double.NaN, 30)).allocations());
    }

    @Test
    void baselinesAndTheControlPathMayAllocate() {
        Verdict verdict = report(true, write("handWritten", 48, 20),
                score("scaling.Regions.registerAndClose", Map.of("regions", "1"), 300, MANY, 700));

        assertEquals(List.of(), verdict.allocations());
    }

    /** The locks and selectors of the JDK allocate when a thread blocks. */
    @Test
    void aBlockingBenchmarkMayAllocateAndItsAllocationIsPrinted() {
        Verdict verdict = report(true,
                score("waiting.WaitingLatency.sendLinux", Map.of("bytes", "64"), 24, MANY, 20_000));

        assertTrue(line("sendLinux").endsWith(" 24.00"), line("sendLinux"));
        assertEquals(List.of(), verdict.allocations());
    }

    @Test
    void theProcessorTimeOfBothProcessesIsPrinted() {
        report(true, new Score("wire.Latency.tcp", Mode.SampleTime, Map.of("bytes", "64"), new double[] {9_000}, 0.25,
                Double.NaN, MANY, new double[] {1, 2, 3, 4, 5}, new double[] {4_000, 3_500}), write("prepared", 0, 30));

        String heading = line("processor time per operation");
        List<String> lines = bytes.toString(StandardCharsets.UTF_8).lines().toList();
        assertEquals("wire.Latency.tcp bytes=64 p50 4.00 us 3.50 us 7.50 us",
                lines.get(lines.indexOf(heading) + 1).strip().replaceAll(" +", " "));
        assertEquals("", lines.get(lines.indexOf(heading) + 2), "others have none");
    }

    @Test
    void theColumnsOfALongNameAreThoseOfItsClass() {
        Map<String, String> many = Map.of("bytes", "8", "parameter", "a value of many characters");
        report(true, write("prepared", 0, 20), score("datapath.Write.prepared", many, 0, MANY, 30));

        int end = line("datapath.Write").indexOf("score") + "score".length();
        assertTrue(line("prepared bytes=8  ").substring(0, end).endsWith(" 20.0 ns"), line("prepared bytes=8  "));
        assertTrue(line("prepared bytes=8 p").substring(0, end).endsWith(" 30.0 ns"), line("prepared bytes=8 p"));
    }

    @Test
    void theBaselineMayDifferInAParameter() {
        report(true, score("scaling.QueuePairs.inTurn", Map.of("queuePairs", "1"), 0, MANY, 50),
                score("scaling.QueuePairs.inTurn", Map.of("queuePairs", "1000"), 0, MANY, 75));

        assertTrue(line("inTurn queuePairs=1000").contains("inTurn queuePairs=1 "), line("inTurn queuePairs=1000"));
        assertTrue(line("inTurn queuePairs=1000").contains(" 1.50 "), line("inTurn queuePairs=1000"));
        assertFalse(line("inTurn queuePairs=1 ").contains(" 1.00 "), "itself is no baseline");
    }
}
