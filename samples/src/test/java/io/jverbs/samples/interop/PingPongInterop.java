package io.jverbs.samples.interop;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
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
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The ping-pong samples with the programs of libibverbs of the same names, each as server and as client. It needs rxe0:
 * {@code .ci/rxe-samples} runs it in a virtual machine, and its name keeps it out of the build's tests.
 */
class PingPongInterop {
    private static final int FIRST_PORT = 18_600;

    /** From the message of {@link io.jverbs.samples.pingpong.PingPong}. */
    private static final String LAST_ACK_LOST = "the peer sent all its messages, but did not acknowledge the last"
            + " message of this side";

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
        long errorsBefore = ReceiveBufferErrors.count();
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
        Outcome programOutcome = program.await();
        long errors = ReceiveBufferErrors.count() - errorsBefore;
        String remark = "";
        if (errors > 0 && lastAckWasLost(sampleOutcome)) {
            checkProgram(pairing, sampleOutcome, programOutcome);
            remark = ", but the last ACK was lost (" + errors + " datagrams found the receive buffer full)";
        } else {
            check(pairing, sampleOutcome, programOutcome);
        }
        System.out.printf("passed in %d ms: %s%s%n", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start),
                pairing.name(), remark);
    }

    /**
     * Returns whether the sample received all messages, but not the acknowledgement of its own last message. The
     * programs have no closing handshake: the peer destroys its queue pairs as soon as it has all messages, and then
     * does not respond to retransmissions. If the system drops the ACK, the sample can only report it.
     */
    private static boolean lastAckWasLost(Outcome sample) {
        return sample.status().equals("1") && !sample.lines().isEmpty()
                && sample.lines().getLast().contains(LAST_ACK_LOST);
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

    private static String outputs(Outcome sample, Outcome program) {
        return program.describe("the C program") + sample.describe("the sample") + "\n ";
    }

    private Report checkProgram(Pairing pairing, Outcome sample, Outcome program) {
        String outputs = outputs(sample, program);
        assertEquals("0", program.status(), () -> "exit status of the C program" + outputs);
        return assertDoesNotThrow(() -> Report.parse(program.lines(), pairing, settings.iterations()),
                () -> "output of the C program" + outputs);
    }

    private void check(Pairing pairing, Outcome sample, Outcome program) {
        String outputs = outputs(sample, program);
        Report ofProgram = checkProgram(pairing, sample, program);
        assertEquals("0", sample.status(), () -> "exit status of the sample" + outputs);
        Report ofSample = assertDoesNotThrow(() -> Report.parse(sample.lines(), pairing, settings.iterations()),
                () -> "output of the sample" + outputs);
        assertEquals(ofProgram.local(), ofSample.remote(), () -> "remote addresses of the sample" + outputs);
        assertEquals(ofSample.local(), ofProgram.remote(), () -> "remote addresses of the C program" + outputs);
    }
}
