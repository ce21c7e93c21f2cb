package io.jverbs.samples.interop;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.jverbs.samples.interop.process.InteropSettings;
import io.jverbs.samples.interop.process.Outcome;
import io.jverbs.samples.interop.process.SampleThread;
import io.jverbs.samples.interop.process.SamplesJvm;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The ping-pong samples with option -R, which the C programs of the same names lack: one side in another JVM, on rxe0.
 * It needs rxe0: {@code .ci/rxe-samples} runs it in a virtual machine, and its name keeps it out of the build's tests.
 */
class PingPongRdmaCmInterop {
    private static final int FIRST_PORT = 18_680;
    private static final int UNUSED_PORT = 18_699;
    private static final long PAUSE_MILLIS = 500;
    private static final String NOT_LISTENING = "no connection to";

    private static SamplesJvm other;

    private final InteropSettings settings = InteropSettings.ofSystemProperties();

    private static List<Pairing> pairings() {
        return Stream.of(true, false).flatMap(first -> Stream.of(pairing(first, "rc", 4096, "-R -c"),
                pairing(first, "srq", 1000, "-R -c -e -q 3"), pairing(first, "ud", 256, "-R -e"))).toList();
    }

    private static Pairing pairing(boolean firstIsServer, String type, int size, String options) {
        return new Pairing(firstIsServer, type, size, List.of(options.split(" ")));
    }

    @AfterAll
    static void endTheOtherJvm() {
        if (other != null) {
            other.close();
        }
    }

    @TestFactory
    Stream<DynamicTest> bothSidesReceiveAllMessagesAndPrintEachOthersAddresses() {
        List<Pairing> all = pairings();
        return IntStream.range(0, all.size()).filter(i -> settings.only().matcher(name(all.get(i))).find())
                .mapToObj(i -> dynamicTest(name(all.get(i)), () -> run(all.get(i), FIRST_PORT + i)));
    }

    private static String name(Pairing pairing) {
        return (pairing.sampleIsServer()
                ? "server, client on rxe0 in another JVM: "
                : "client, server on rxe0 in another JVM: ") + pairing.type() + " -s " + pairing.size() + " "
                + String.join(" ", pairing.options());
    }

    private void run(Pairing pairing, int port) throws Exception {
        long start = System.nanoTime();
        List<String> arguments = pairing.arguments(port, settings.iterations());
        Outcome here;
        Outcome there;
        if (pairing.sampleIsServer()) {
            SampleThread server = startHere(pairing, arguments, List.of());
            startOtherJvm(pairing);
            there = untilServed(() -> {
                startThere(pairing, arguments, List.of(settings.sampleAddress()));
                return other.await();
            });
            here = server.await();
        } else {
            startOtherJvm(pairing);
            startThere(pairing, arguments, List.of());
            here = untilServed(() -> startHere(pairing, arguments, List.of(settings.programAddress())).await());
            there = other.await();
        }
        check(pairing, here, there);
        System.out.printf("passed in %d ms: %s%n", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start),
                name(pairing));
    }

    /** Its first sample finds no server, but the address of this side, which takes longest the first time. */
    private void startOtherJvm(Pairing pairing) throws Exception {
        if (other == null || !other.isRunning()) {
            other = SamplesJvm.onRxe(settings);
            other.start(words(pairing, "native:rxe0", pairing.arguments(UNUSED_PORT, 1),
                    List.of(settings.sampleAddress())));
            other.await();
        }
    }

    /** Runs a client. */
    private interface Client {
        Outcome run() throws Exception;
    }

    /** Runs a client until the server listens, which only a client can tell, or until the time is up. */
    private static Outcome untilServed(Client client) throws Exception {
        long deadline = System.nanoTime() + InteropSettings.TIMEOUT.toNanos();
        Outcome outcome = client.run();
        while (outcome.lines().stream().anyMatch(line -> line.contains(NOT_LISTENING))
                && System.nanoTime() < deadline) {
            Thread.sleep(PAUSE_MILLIS);
            outcome = client.run();
        }
        return outcome;
    }

    private SampleThread startHere(Pairing pairing, List<String> arguments, List<String> host) {
        return SampleThread.start(words(pairing, settings.device(), arguments, host).toArray(String[]::new));
    }

    private void startThere(Pairing pairing, List<String> arguments, List<String> host) {
        other.start(words(pairing, "native:rxe0", arguments, host));
    }

    private static List<String> words(Pairing pairing, String device, List<String> arguments, List<String> host) {
        List<String> words = new ArrayList<>(List.of(pairing.type() + "-pingpong", "-d", device));
        words.addAll(arguments);
        words.addAll(host);
        return words;
    }

    private void check(Pairing pairing, Outcome here, Outcome there) {
        String outputs = here.describe("this JVM") + there.describe("the other JVM") + "\n ";
        assertEquals("0", here.status(), () -> "exit status in this JVM" + outputs);
        assertEquals("0", there.status(), () -> "exit status in the other JVM" + outputs);
        Report ofThis = report(pairing, here, outputs);
        Report ofOther = report(pairing, there, outputs);
        assertEquals(ofThis.local(), ofOther.remote(), () -> "remote addresses in the other JVM" + outputs);
        assertEquals(ofOther.local(), ofThis.remote(), () -> "remote addresses in this JVM" + outputs);
    }

    private Report report(Pairing pairing, Outcome outcome, String outputs) {
        return assertDoesNotThrow(() -> Report.parse(outcome.lines(), pairing, settings.iterations()),
                () -> "output" + outputs);
    }
}
