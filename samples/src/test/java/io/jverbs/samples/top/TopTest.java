package io.jverbs.samples.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.control.CmIdSnapshot;
import io.jverbs.control.DevicesMXBean;
import io.jverbs.control.QueuePairCounters;
import io.jverbs.samples.Run;
import io.jverbs.samples.Samples;
import io.jverbs.samples.SamplesProcess;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The pages of this and of another program, and the terminal. */
class TopTest {
    private static Snapshot snapshot(long nanos, long messages) {
        Map<String, Long> busy = Map.of("sent_msgs", messages, "sent_pkts", 2 * messages, "sent_bytes",
                1_000_000 * messages, "rcvd_pkts", 0L, "rcvd_bytes", 0L, "retransmissions", 3L, "bad_icrc", 2L);
        Map<String, Long> idle = Map.of("sent_msgs", 0L, "sent_pkts", 0L, "sent_bytes", 0L, "rcvd_pkts", 0L,
                "rcvd_bytes", 0L);
        return new Snapshot(nanos, List.of(
                new DevicesMXBean.Device("soft0", "soft", List.of(new DevicesMXBean.Port(1, "ACTIVE", busy)),
                        Map.of("qp", 2L, "cq", 1L, "mr", 5L),
                        List.of(new QueuePairCounters(16, QpType.UD, QpState.INIT, 0, idle),
                                new QueuePairCounters(17, QpType.RC, QpState.RTS, 18, busy)),
                        List.of()),
                new DevicesMXBean.Device("mlx5_0", "native", List.of(new DevicesMXBean.Port(1, "DOWN", Map.of())),
                        Map.of(), List.of(), List.of())));
    }

    private static Snapshot snapshot(long nanos, Map<String, Long> counters) {
        return new Snapshot(nanos, List.of(new DevicesMXBean.Device("mlx5_0", "native",
                List.of(new DevicesMXBean.Port(1, "ACTIVE", counters)), Map.of(), List.of(), List.of())));
    }

    /** {@return a snapshot of a device with a number of queue pairs} */
    private static Snapshot snapshot(int queuePairs) {
        List<QueuePairCounters> all = IntStream.range(0, queuePairs).mapToObj(
                i -> new QueuePairCounters(0xFFFF00 + i, QpType.RC, QpState.RTS, 0xFFFF00 + i,
                        Map.of("sent_bytes", 1L)))
                .toList();
        return new Snapshot(0, List.of(new DevicesMXBean.Device("soft0", "soft",
                List.of(new DevicesMXBean.Port(1, "ACTIVE", Map.of("sent_bytes", 1L, "retransmissions", 12345L))),
                Map.of("qp", 100L, "cq", 100L, "mr", 100L), all, List.of())));
    }

    @Test
    void ratesAreThoseBetweenTwoSnapshotsAndTheBusiestQueuePairIsFirst() {
        List<String> lines = new Page(snapshot(0, 100), snapshot(2_000_000_000L, 5100)).lines("top", 10,
                Size.UNLIMITED);

        assertEquals(String.join("\n", "top: 2 devices, 2 queue pairs, rates over 2.0 s", "",
                "DEVICE PORT STATE   RETX   RNR  DROP  MSG/S  PKT/S TX MB/S RX MB/S  QP  CQ  MR",
                "soft0     1 ACTIVE     3     -     2   2.5k   5.0k 2500.00    0.00   2   1   5",
                "mlx5_0    1 DOWN       -     -     -      -      -       -       -   -   -   -", "",
                "DEVICE      QPN TYPE STATE     PEER  RETX   RNR  MSG/S  PKT/S TX MB/S RX MB/S",
                "soft0        17 RC   RTS         18     3     0   2.5k   5.0k 2500.00    0.00",
                "soft0        16 UD   INIT         -     0     0      0      0    0.00    0.00"),
                String.join("\n", lines));
        assertEquals("... and 1 more",
                new Page(snapshot(0, 1), snapshot(1, 1)).lines("top", 1, Size.UNLIMITED).getLast());
    }

    @Test
    void aPageFitsATerminalOfTheUsualSize() {
        List<String> lines = new Page(snapshot(50), snapshot(50)).lines("top", 100, Size.USUAL);

        assertEquals(Size.USUAL.rows(), lines.size());
        lines.forEach(line -> assertTrue(line.length() <= Size.USUAL.columns(), line));
        assertEquals("DEVICE PORT STATE   RETX   RNR  DROP  MSG/S  PKT/S TX MB/S RX MB/S  QP  CQ  MR", lines.get(2));
        assertEquals("DEVICE      QPN TYPE STATE     PEER  RETX   RNR  MSG/S  PKT/S TX MB/S RX MB/S", lines.get(5));
        assertEquals("... and 33 more", lines.getLast());
        assertEquals(6 + 50, new Page(snapshot(50), snapshot(50)).lines("top", 100, new Size(6 + 50, 80)).size());
    }

    @Test
    void columnsThatDoNotFitWholeAreLeftOut() {
        List<String> lines = new Page(snapshot(1), snapshot(1)).lines("top", 100, new Size(24, 40));

        assertEquals("DEVICE PORT STATE   RETX   RNR  DROP", lines.get(2));
        assertEquals("soft0     1 ACTIVE 12345     -     -", lines.get(3));
        assertEquals(40, lines.getFirst().length());
    }

    @Test
    void theCountersOfDriversAreMappedToMetrics() {
        Map<String, Long> port = Map.of("port_xmit_data", 250_000L, "port_rcv_data", 500_000L, "port_xmit_packets",
                1000L, "port_rcv_packets", 2000L, "local_ack_timeout_err", 4L, "packet_seq_err", 3L,
                "rnr_nak_retry_err", 2L, "out_of_buffer", 5L);
        Map<String, Long> none = port.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, each -> 0L));
        assertEquals("mlx5_0    1 ACTIVE     7     2     5      -   1.0k    1.00    2.00   -   -   -",
                new Page(snapshot(0, none), snapshot(1_000_000_000L, port)).lines("top", 10, Size.UNLIMITED).get(3));
        Map<String, Long> rxe = Map.of("sent_pkts", 10L, "rcvd_pkts", 10L, "completer_retry_err", 3L, "rcvd_rnr_err",
                2L);
        assertEquals("mlx5_0    1 ACTIVE     3     2     -      -      0       -       -   -   -   -",
                new Page(snapshot(0, rxe), snapshot(1_000_000_000L, rxe)).lines("top", 10, Size.UNLIMITED).get(3));
    }

    @Test
    void aPortThatConnectsHasARowForTheConnectionManager() {
        Map<String, Long> none = Map.of("cm_tx_msgs", 0L, "cm_rx_msgs", 0L, "cm_tx_retries", 0L);
        Map<String, Long> some = Map.of("cm_tx_msgs", 2500L, "cm_rx_msgs", 2400L, "cm_tx_retries", 3L,
                "cm_rx_duplicates", 2L, "cm_rx_refused", 1L, "cm_rx_malformed", 4L);

        List<String> lines = new Page(snapshot(0, none), snapshot(1_000_000_000L, some)).lines("top", 10,
                Size.UNLIMITED);
        assertEquals(List.of("DEVICE PORT CM TX/S CM RX/S RETRIES DUPLICATES  DROP",
                "mlx5_0    1    2.5k    2.4k       3          2     5"), lines.subList(5, 7));
        assertTrue(new Page(snapshot(0, none), snapshot(1, none)).lines("top", 10, Size.UNLIMITED).stream()
                .noneMatch(line -> line.contains("CM TX/S")));
    }

    @Test
    void theCmIdsHaveTheirStatesAndAddresses() {
        List<CmIdSnapshot> ids = new ArrayList<>();
        ids.add(new CmIdSnapshot("TCP", "LISTEN", "0.0.0.0:7471", ""));
        for (int i = 1; i <= 9; i++) {
            ids.add(new CmIdSnapshot("TCP", "ESTABLISHED", "10.0.0.7:7471", "10.0.0." + i + ":41000"));
        }
        Snapshot now = new Snapshot(0, List.of(new DevicesMXBean.Device("soft0", "soft",
                List.of(new DevicesMXBean.Port(1, "ACTIVE", Map.of())), Map.of(), List.of(), ids)));
        List<String> lines = new Page(now, now).lines("top", 10, Size.UNLIMITED);
        assertEquals(List.of("DEVICE PS  STATE         SOURCE                DESTINATION",
                "soft0  TCP LISTEN        0.0.0.0:7471          -",
                "soft0  TCP ESTABLISHED   10.0.0.7:7471         10.0.0.1:41000"), lines.subList(5, 8));
        assertEquals("... and 2 more", lines.get(14));
    }

    @Test
    void aNewQueuePairHasNoRateYet() {
        Snapshot empty = new Snapshot(0, List.of());
        List<String> lines = new Page(empty, snapshot(1_000_000_000L, 5100)).lines("top", 10, Size.UNLIMITED);

        assertEquals("soft0     1 ACTIVE     3     -     2      0      0    0.00    0.00   2   1   5", lines.get(3));
        assertEquals("soft0        16 UD   INIT         -     0     0      0      0    0.00    0.00", lines.get(7));
    }

    @Test
    void theSizeOfATerminalIsParsedFromTheOutputOfStty() {
        assertEquals(new Size(40, 140), Size.parse("40 140"));
        for (String none : new String[] {null, "", "0 0", "40", "-1 80", "x 80", "999999 80"}) {
            assertEquals(Size.USUAL, Size.parse(none));
        }
    }

    @Test
    void closingATerminalRestoresIt() {
        StringWriter text = new StringWriter();
        try (Terminal terminal = new Terminal(new PrintWriter(text))) {
            terminal.show(List.of("a", "b"));
            assertFalse(text.toString().endsWith(Terminal.LEAVE));
        }
        assertEquals(Terminal.ENTER + "\033[Ha\033[K\r\nb\033[K\r\n\033[J" + Terminal.LEAVE, text.toString());
    }

    @Test
    void theDemonstrationIsWatchedPageByPage() {
        Run run = Run.of("top", "--demo", "--batch", "--count", "2", "--delay", "0.2");

        assertEquals("", run.err());
        assertEquals(0, run.status());
        assertEquals(2, run.lines().stream().filter(line -> line.startsWith("jverbs top, ")).count());
        assertTrue(run.lines().stream().anyMatch(line -> line.matches(
                "soft0 +[0-9]+ RC   RTS +[0-9]+ +0 +0 +[0-9.]+[kM]? +[0-9.]+[kM]? +[1-9][0-9]*\\.[0-9]+ .*")),
                run.out());
    }

    @Test
    void anotherProgramIsWatchedWithoutPreparation() throws Exception {
        Process other = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                SamplesProcess.classPath(), Samples.class.getName(), "top", "--demo", "--batch", "--delay", "0.1")
                .redirectErrorStream(true).start();
        try {
            // it has created its devices when it prints the first page
            assertTrue(other.inputReader().readLine().startsWith("jverbs top, "));
            Thread.ofVirtual().start(() -> other.inputReader().lines().forEach(line -> {}));
            Run run = Run.of("top", Long.toString(other.pid()), "--once", "--delay", "0.3");

            assertEquals("", run.err());
            assertEquals(0, run.status());
            assertTrue(run.lines().getFirst().contains("process " + other.pid() + ": 1 devices, 2 queue pairs"),
                    run.out());
            assertTrue(
                    run.lines().stream()
                            .anyMatch(line -> line.matches("soft0 +1 ACTIVE +0 +0 +0 +[0-9.]+[kM]? .* +2 +1 +1")),
                    run.out());
            assertTrue(Run.of("top").out().contains("  " + other.pid() + " " + Samples.class.getName()));
        } finally {
            other.destroyForcibly();
        }
        Run ended = Run.of("top", Long.toString(other.pid()));
        assertEquals(1, ended.status());
        assertTrue(ended.err().startsWith("samples/run top: process " + other.pid() + " cannot be watched: ")
                && ended.err().contains("; see docs/observability.md"), ended.err());
    }

    @Test
    void wrongArgumentsAreRefused() {
        for (List<String> arguments : List.of(List.of("top", "--demo", "1"), List.of("top", "--demo", "--count=0"),
                List.of("top", "--demo", "--delay=0.01"), List.of("top", "--demo", "--delay=NaN"),
                List.of("top", "--demo", "--queue-pairs=-1"), List.of("top", "--demo", "--once", "--count=2"),
                List.of("top", "here"))) {
            Run run = Run.of(arguments.toArray(String[]::new));
            assertEquals(2, run.status(), arguments::toString);
            assertEquals(1, run.errors().size());
        }
    }
}
