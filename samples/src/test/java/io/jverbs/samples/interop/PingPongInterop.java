package io.jverbs.samples.interop;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The ping-pong samples with the programs of libibverbs of the same names, each as server and as client. It needs rxe0:
 * {@code .ci/rxe-pingpong} runs it in a virtual machine, and its name keeps it out of the build's tests.
 */
class PingPongInterop {
    /** How long each side may run, and how long a server may take until it listens. */
    static final Duration TIMEOUT = Duration.ofSeconds(60);

    private static final int FIRST_PORT = 18_600;

    private final InteropSettings settings = InteropSettings.ofSystemProperties();
    private boolean sampleHangs;

    @TestFactory
    Stream<DynamicTest> bothSidesReceiveAllMessagesAndPrintEachOthersAddresses() {
        List<Pairing> pairings = Pairing.all().stream()
                .filter(pairing -> settings.only().matcher(pairing.name()).find()).toList();
        // Each pairing has a port of its own: the connections of the one before may be in TIME-WAIT.
        return IntStream.range(0, pairings.size())
                .mapToObj(i -> dynamicTest(pairings.get(i).name(), () -> run(pairings.get(i), FIRST_PORT + i)));
    }

    private void run(Pairing pairing, int port) throws Exception {
        assumeFalse(sampleHangs, "the sample of an earlier pairing still runs");
        long start = System.nanoTime();
        List<String> arguments = pairing.arguments(port, settings.iterations());
        SampleThread sample;
        CProgram program;
        if (pairing.sampleIsServer()) {
            sample = startSample(pairing, arguments);
            TcpListener.await(ProcessHandle.current().pid(), port, sample::isRunning);
            program = startProgram(pairing, with(arguments, settings.sampleAddress()));
        } else {
            program = startProgram(pairing, arguments);
            TcpListener.await(program.pid(), port, program::isRunning);
            sample = startSample(pairing, with(arguments, settings.programAddress()));
        }
        Outcome sampleOutcome = sample.await();
        sampleHangs = sample.isRunning();
        check(pairing, sampleOutcome, program.await());
        System.out.printf("passed in %d ms: %s%n", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start),
                pairing.name());
    }

    private SampleThread startSample(Pairing pairing, List<String> arguments) {
        List<String> words = new ArrayList<>(List.of(pairing.type() + "-pingpong", "-d", settings.device()));
        words.addAll(arguments);
        return SampleThread.start(words.toArray(String[]::new));
    }

    private CProgram startProgram(Pairing pairing, List<String> arguments) throws Exception {
        return CProgram.start(settings.programPrefix(), pairing.type(), arguments);
    }

    private static List<String> with(List<String> arguments, String host) {
        List<String> withHost = new ArrayList<>(arguments);
        withHost.add(host);
        return withHost;
    }

    private void check(Pairing pairing, Outcome sample, Outcome program) {
        String outputs = program.describe("the C program") + sample.describe("the sample") + "\n ";
        assertEquals("0", program.status(), () -> "exit status of the C program" + outputs);
        assertEquals("0", sample.status(), () -> "exit status of the sample" + outputs);
        Report ofProgram = assertDoesNotThrow(() -> Report.parse(program.lines(), pairing, settings.iterations()),
                () -> "output of the C program" + outputs);
        Report ofSample = assertDoesNotThrow(() -> Report.parse(sample.lines(), pairing, settings.iterations()),
                () -> "output of the sample" + outputs);
        assertEquals(ofProgram.local(), ofSample.remote(), () -> "remote addresses of the sample" + outputs);
        assertEquals(ofSample.local(), ofProgram.remote(), () -> "remote addresses of the C program" + outputs);
    }
}
