package io.jverbs.samples.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.jverbs.samples.interop.process.CProgram;
import io.jverbs.samples.interop.process.InteropSettings;
import io.jverbs.samples.interop.process.Outcome;
import io.jverbs.samples.interop.process.SampleThread;
import io.jverbs.samples.interop.process.TcpListener;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The samples of {@code io.jverbs.samples.perftest} with the programs of perftest, each as server and as client. It
 * needs rxe0: {@code .ci/rxe-samples} runs it in a virtual machine, and its name keeps it out of the build's tests.
 */
class PerftestInterop {
    private static final int FIRST_PORT = 19_100;
    private static final int ATTEMPTS = 20;
    private static final long PAUSE_MILLIS = 500;
    private static final Pattern ADDRESS = Pattern.compile(" (local|remote) address: LID (0x)?([0-9a-f]+)"
            + " QPN 0x([0-9a-f]+) PSN 0x([0-9a-f]+)( OUT 0x[0-9a-f]+)?( RKey 0x([0-9a-f]+) VAddr 0x([0-9a-f]+))?\\s*");
    /** The standard deviation of the C programs is no number if latencies differ by more than 46 ms. */
    private static final Pattern ROW = Pattern.compile("\\s\\d+\\s+\\d+(\\s+([\\d.]+|-?nan))+\\s*");

    private final InteropSettings settings = InteropSettings.ofSystemProperties();
    private boolean sampleHangs;

    /**
     * A sample and the C program of the same name.
     *
     * @param sampleIsServer whether the sample is the server and the C program the client
     * @param program the name of the sample
     * @param options the options of both
     */
    private record Programs(boolean sampleIsServer, String program, String options) {
        String name() {
            return (sampleIsServer ? "java server, c client: " : "c server, java client: ") + program
                    + (options.isEmpty() ? "" : " " + options);
        }

        List<String> arguments(int port) {
            List<String> arguments = new ArrayList<>(List.of("-p", "" + port, "-F"));
            if (!usesRdmaCm()) {
                arguments.addAll(List.of("-x", "1"));
            }
            if (!options.isEmpty()) {
                arguments.addAll(List.of(options.split(" ")));
            }
            return arguments;
        }

        boolean usesRdmaCm() {
            return options.contains("-R");
        }

        /** {@return whether the side prints a row} A server that only executes requests measures no latency. */
        boolean hasRow(boolean server) {
            return !server || !program.equals("read-lat") && !program.equals("atomic-lat");
        }
    }

    private static List<Programs> programs() {
        List<Programs> all = new ArrayList<>();
        for (boolean sampleIsServer : new boolean[] {true, false}) {
            for (String each : List.of("write-bw -s 1000 -n 100", "write-bw -s 10000 -n 60 -b -c UC",
                    "read-bw -s 3000 -n 60", "send-bw -s 500 -n 100", "send-bw -s 64 -n 60 -b", "send-bw -c UD -n 30",
                    "atomic-bw -n 60", "write-lat -s 100 -n 60", "write-lat -s 5000 -n 20 -c UC",
                    "read-lat -s 64 -n 60", "send-lat -s 1000 -n 60", "send-lat -c UD -a -n 10", "atomic-lat -n 60",
                    "send-bw -s 64 -D 2", "write-bw -R -s 1000 -n 100", "read-bw -R -s 3000 -n 60",
                    "send-bw -R -s 64 -n 60 -b", "send-bw -R -c UD -n 30", "send-bw -R -c UD -n 30 -b",
                    "atomic-bw -R -n 60", "write-lat -R -s 100 -n 60", "read-lat -R -n 60", "send-lat -R -n 60",
                    "send-lat -R -c UD -n 30", "atomic-lat -R -n 60")) {
                int end = each.indexOf(' ');
                all.add(new Programs(sampleIsServer, each.substring(0, end), each.substring(end + 1)));
            }
        }
        return all;
    }

    @TestFactory
    Stream<DynamicTest> bothSidesMeasureAndPrintEachOthersAddresses() {
        List<Programs> chosen = programs().stream().filter(each -> settings.only().matcher(each.name()).find())
                .toList();
        // Each pairing has a port of its own: the connections of the one before may be in TIME-WAIT.
        return IntStream.range(0, chosen.size())
                .mapToObj(i -> dynamicTest(chosen.get(i).name(), () -> run(chosen.get(i), FIRST_PORT + i)));
    }

    private void run(Programs programs, int port) throws Exception {
        assumeFalse(sampleHangs, "the sample of an earlier pairing still runs");
        long start = System.nanoTime();
        Outcome ofSample;
        Outcome ofProgram;
        if (programs.sampleIsServer) {
            SampleThread sample = startSample(programs, port, List.of());
            ofProgram = clientProgram(programs, port, sample);
            ofSample = sample.await();
            sampleHangs = sample.isRunning();
        } else {
            CProgram program = startProgram(programs, port, List.of());
            ofSample = clientSample(programs, port, program);
            ofProgram = program.await();
        }
        check(programs, ofSample, ofProgram);
        System.out.printf("passed in %d ms: %s%n", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start),
                programs.name());
    }

    /** Runs the C program as the client; with rdma_cm, until the server listens, which only a client can tell. */
    private Outcome clientProgram(Programs programs, int port, SampleThread server) throws Exception {
        if (!programs.usesRdmaCm()) {
            TcpListener.await(ProcessHandle.current().pid(), port, server::isRunning);
        }
        List<String> host = List.of(settings.sampleAddress());
        Outcome client = startProgram(programs, port, host).await();
        for (int i = 1; i < ATTEMPTS && isTooEarly(client, "Unable to perform rdma_client function"); i++) {
            Thread.sleep(PAUSE_MILLIS);
            client = startProgram(programs, port, host).await();
        }
        return client;
    }

    /** Runs the sample as the client. */
    private Outcome clientSample(Programs programs, int port, CProgram server) throws Exception {
        if (!programs.usesRdmaCm()) {
            TcpListener.await(server.pid(), port, server::isRunning);
        }
        List<String> host = List.of(settings.programAddress());
        Outcome client = null;
        for (int i = 0; i < ATTEMPTS && (client == null
                || server.isRunning() && isTooEarly(client, "no connection to")); i++) {
            Thread.sleep(client == null ? 0 : PAUSE_MILLIS);
            SampleThread sample = startSample(programs, port, host);
            client = sample.await();
            sampleHangs = sample.isRunning();
        }
        return client;
    }

    private static boolean isTooEarly(Outcome client, String text) {
        return client.status().equals("1") && client.lines().stream().anyMatch(line -> line.contains(text));
    }

    private SampleThread startSample(Programs programs, int port, List<String> host) {
        List<String> words = new ArrayList<>(List.of(programs.program, "-d", settings.device(), "--warm-up", "0",
                "--patience", "60"));
        words.addAll(programs.arguments(port));
        words.addAll(host);
        return SampleThread.start(words.toArray(String[]::new));
    }

    private CProgram startProgram(Programs programs, int port, List<String> host) throws Exception {
        List<String> words = new ArrayList<>(
                List.of("ib_" + programs.program.replace('-', '_'), "-d", "rxe0"));
        words.addAll(programs.arguments(port));
        words.addAll(host);
        return CProgram.start(settings.programPrefix(), words);
    }

    private static void check(Programs programs, Outcome sample, Outcome program) {
        String outputs = program.describe("the C program") + sample.describe("the sample") + "\n ";
        assertEquals("0", program.status(), () -> "exit status of the C program" + outputs);
        assertEquals("0", sample.status(), () -> "exit status of the sample" + outputs);
        // with rdma_cm, the C programs print no address of the memory
        int numbers = programs.usesRdmaCm() ? 3 : 5;
        assertEquals(addresses(program, "local", numbers), addresses(sample, "remote", numbers),
                () -> "remote address" + outputs);
        assertEquals(addresses(sample, "local", numbers), addresses(program, "remote", numbers),
                () -> "local address" + outputs);
        assertEquals(1, addresses(sample, "local", numbers).size(), () -> "number of addresses" + outputs);
        assertEquals(programs.hasRow(programs.sampleIsServer), hasRow(sample), () -> "row of the sample" + outputs);
        if (hasEstimatedClock(program)) {
            assertEquals(programs.hasRow(!programs.sampleIsServer), hasRow(program),
                    () -> "row of the program" + outputs);
        }
        assertTrue(sample.lines().stream().noneMatch(line -> line.contains("has version")), outputs);
    }

    /** {@return the first numbers of the lines that begin with a word} */
    private static List<List<Long>> addresses(Outcome outcome, String side, int numbers) {
        return outcome.lines().stream().map(ADDRESS::matcher).filter(Matcher::matches)
                .filter(match -> match.group(1).equals(side)).map(match -> numbers(match).subList(0, numbers)).toList();
    }

    private static List<Long> numbers(MatchResult match) {
        return IntStream.of(3, 4, 5, 8, 9).mapToObj(match::group).map(digits -> digits == null ? "0" : digits)
                .map(digits -> Long.parseUnsignedLong(digits, 16)).toList();
    }

    /** {@return whether a C program has numbers to print} It estimates the frequency of its clock, which can fail. */
    private static boolean hasEstimatedClock(Outcome program) {
        return program.lines().stream().noneMatch(line -> line.startsWith("Correlation coefficient r^2"));
    }

    private static boolean hasRow(Outcome outcome) {
        return outcome.lines().stream().anyMatch(line -> ROW.matcher(line).matches());
    }
}
