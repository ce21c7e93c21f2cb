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
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The sample mckey with the program of rdmacm-utils of the same name, each as sender and as receiver. It needs rxe0:
 * {@code .ci/rxe-samples} runs it in a virtual machine, and its name keeps it out of the build's tests. A port of rxe
 * does not receive its own multicast packets, so the programs that use rxe0 are not paired with each other.
 */
class MckeyInterop {
    private static final String JOINED = "mckey: joined dgid: ";

    private static SamplesJvm other;
    private static int nextGroup = 1;

    private final InteropSettings settings = InteropSettings.ofSystemProperties();
    /** Each test has a group of its own, which no late message of the one before reaches. */
    private final String group = "239.9.8." + nextGroup++;

    @AfterAll
    static void endTheOtherJvm() {
        if (other != null) {
            other.close();
        }
    }

    private List<String> words(String address, String options) {
        List<String> words = new ArrayList<>(List.of("mckey", "-m", group, "-b", address));
        if (!options.isEmpty()) {
            words.addAll(List.of(options.split(" ")));
        }
        return words;
    }

    private SampleThread sample(String options) {
        return SampleThread.start(words(settings.sampleAddress(), options).toArray(String[]::new));
    }

    private RdmacmProgram program(String options) throws Exception {
        return RdmacmProgram.start(settings.programPrefix(), words(settings.programAddress(), options));
    }

    /** Starts the sample with the native device, in another JVM. */
    private SamplesJvm nativeSample(String options) throws Exception {
        if (other == null || !other.isRunning()) {
            other = SamplesJvm.onRxe(settings);
        }
        other.start(words(settings.programAddress(), options));
        return other;
    }

    private static List<String> joined(Outcome outcome) {
        return outcome.lines().stream().filter(line -> line.startsWith(JOINED)).distinct().toList();
    }

    private void check(Outcome receiver, Outcome sender) {
        String outputs = receiver.describe("the receiver") + sender.describe("the sender") + "\n ";
        for (Outcome each : List.of(receiver, sender)) {
            assertEquals("0", each.status(), () -> "exit status" + outputs);
            assertEquals("return status 0", each.lines().getLast(), outputs);
            assertEquals(List.of(JOINED + "::ffff:" + group + " mlid 0x0 sl 0"), joined(each), outputs);
        }
    }

    @TestFactory
    Stream<DynamicTest> membersReceiveWhatTheSenderSends() {
        return Stream.of("", "-c 2 -C 4 -S 1000", "-C 3 -S 1 -o", "-C 0").flatMap(each -> Stream.of(
                dynamicTest("java receiver, c sender: mckey " + each, () -> sendByProgram(each)),
                dynamicTest("c receiver, java sender: mckey " + each, () -> sendBySample(each))));
    }

    /** The options of the receiver: those of the sender, but as a full member that rxe admits. */
    private static String receiving(String options) {
        return options.replace(" -o", "").replace(" -l", "");
    }

    private static int queuePairs(String options) {
        return options.startsWith("-c 2") ? 2 : 1;
    }

    private void sendByProgram(String options) throws Exception {
        SampleThread receiver = sample(receiving(options));
        receiver.awaitLines(JOINED, queuePairs(options));
        try (RdmacmProgram sender = program(("-s " + options).strip())) {
            Outcome sent = sender.await();
            check(receiver.await(), sent);
        }
    }

    private void sendBySample(String options) throws Exception {
        try (RdmacmProgram receiver = program(receiving(options))) {
            receiver.awaitLines(JOINED, queuePairs(options));
            Outcome sent = sample(("-s " + options).strip()).await();
            check(receiver.await(), sent);
        }
    }

    @Test
    void aSenderThatBlocksItsOwnDatagramsReachesACProgram() throws Exception {
        sendBySample("-C 3 -l");
    }

    @Test
    void theNativeDeviceReceivesFromTheSoftwareDevice() throws Exception {
        SamplesJvm receiver = nativeSample("-c 2 -C 4");
        receiver.awaitLines(JOINED, 2);
        Outcome sent = sample("-s -c 2 -C 4").await();
        check(receiver.await(), sent);
    }

    @Test
    void theNativeDeviceSendsToTheSoftwareDevice() throws Exception {
        SampleThread receiver = sample("-C 4");
        receiver.awaitLines(JOINED, 1);
        Outcome sent = nativeSample("-s -C 4").await();
        check(receiver.await(), sent);
    }

    /** rxe has no creation flags. */
    @Test
    void rxeRefusesAQueuePairThatBlocksItsOwnDatagrams() throws Exception {
        try (RdmacmProgram program = program("-s -l")) {
            Outcome refused = program.await();
            assertTrue(!refused.status().equals("0") && refused.status().length() <= 3,
                    () -> refused.describe("the C program"));
            assertTrue(refused.lines().stream().anyMatch(line -> line.endsWith("Operation not supported")),
                    () -> refused.describe("the C program"));
            Outcome ended = nativeSample("-s -l").await();
            assertEquals("1", ended.status(), () -> ended.describe("the sample"));
            assertTrue(ended.lines().stream().anyMatch(line -> line.contains("EOPNOTSUPP")
                    && line.contains("blockSelfMulticastLoopback=true")), () -> ended.describe("the sample"));
        }
    }
}
