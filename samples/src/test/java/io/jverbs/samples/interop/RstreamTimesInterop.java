package io.jverbs.samples.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.jverbs.samples.interop.process.InteropSettings;
import io.jverbs.samples.interop.process.Outcome;
import io.jverbs.samples.interop.process.RdmacmProgram;
import io.jverbs.samples.interop.process.SampleThread;
import io.jverbs.samples.interop.process.SamplesJvm;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The times of the sample rstream between two JVMs, and of the program of rdmacm-utils of that name between two
 * processes, all on rxe0 and with the same options, in turn. {@code .ci/rxe-samples RstreamTimesInterop} prints them;
 * its name keeps it out of the build's tests, and the script does not run it unless it is named.
 */
class RstreamTimesInterop {
    private static final int FIRST_PORT = 19_300;
    private static final int ROUNDS = 3;
    private static final long PAUSE_MILLIS = 200;
    /** A part of the heading, which rstream prints when it listens. */
    private static final String LISTENS = "usec/xfer";
    private static final String NOT_LISTENING = "no listener";

    private static SamplesJvm other;
    private static int nextPort = FIRST_PORT;

    private final InteropSettings settings = InteropSettings.ofSystemProperties();

    @AfterAll
    static void endTheOtherJvm() {
        if (other != null) {
            other.close();
        }
    }

    /** Messages in turn, and then messages in one direction. */
    @TestFactory
    Stream<DynamicTest> theSampleAndTheProgramTransferTheSame() {
        return Stream.of("-S 64 -C 1 -I 500", "-S 4096 -C 1 -I 300", "-S 65536 -C 1 -I 50", "-S 65536 -C 200 -I 1",
                "-S 1048576 -C 20 -I 1").map(options -> dynamicTest(options, () -> measure(options + " -T b")));
    }

    private void measure(String options) throws Exception {
        List<Double> samples = new ArrayList<>();
        List<Double> programs = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            programs.add(timeOfPrograms(options));
            samples.add(timeOfSamples(options));
        }
        double sample = median(samples);
        double program = median(programs);
        System.out.printf(Locale.ROOT, "rstream %s: a transfer takes %.1f us with jverbs, %.1f us in C, ratio %.2f%n",
                options, sample, program, sample / program);
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    private double timeOfPrograms(String options) throws Exception {
        int port = nextPort++;
        try (RdmacmProgram server = RdmacmProgram.start(settings.programPrefix(), server(port, options))) {
            server.awaitLine(LISTENS);
            try (RdmacmProgram client = RdmacmProgram.start(settings.programPrefix(), client(port, options))) {
                Outcome ended = client.await();
                return time(server.await(), ended);
            }
        }
    }

    private double timeOfSamples(String options) throws Exception {
        int port = nextPort++;
        if (other == null || !other.isRunning()) {
            // both find no server, but load the classes
            other = SamplesJvm.onRxe(settings);
            other.start(client(port, options));
            other.await();
            runClient(port, options);
        }
        other.start(server(port, options));
        long deadline = System.nanoTime() + InteropSettings.TIMEOUT.toNanos();
        Outcome client = runClient(port, options);
        while (client.describe("").contains(NOT_LISTENING) && System.nanoTime() < deadline) {
            Thread.sleep(PAUSE_MILLIS);
            client = runClient(port, options);
        }
        return time(other.await(), client);
    }

    private Outcome runClient(int port, String options) throws InterruptedException {
        return SampleThread.start(client(port, options).toArray(String[]::new)).await();
    }

    private List<String> server(int port, String options) {
        return List.of(("rstream -b " + settings.programAddress() + " -p " + port + " " + options).split(" "));
    }

    private List<String> client(int port, String options) {
        return List.of(("rstream -s " + settings.programAddress() + " -p " + port + " " + options).split(" "));
    }

    /** Returns the last column of the client's row, the microseconds of a transfer. */
    private static double time(Outcome server, Outcome client) {
        String outputs = server.describe("the server") + client.describe("the client") + "\n ";
        for (Outcome each : List.of(server, client)) {
            assertEquals("0", each.status(), () -> "exit status" + outputs);
            assertTrue(each.lines().getLast().startsWith("custom "), () -> "last line" + outputs);
        }
        String row = client.lines().getLast();
        return Double.parseDouble(row.substring(row.lastIndexOf(' ') + 1));
    }
}
