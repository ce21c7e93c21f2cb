package io.jverbs.samples.interop;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.jverbs.samples.interop.process.InteropSettings;
import io.jverbs.samples.interop.process.Outcome;
import io.jverbs.samples.interop.process.PreloadedProgram;
import io.jverbs.samples.interop.process.RdmacmProgram;
import io.jverbs.samples.interop.process.SamplesJvm;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The sample rstream with the JDK's channels, in a JVM that the property of the provider has put on RDMA, with the
 * program in C: on rsocket, and with the sockets of Linux, preloaded with librspreload. It needs rxe0:
 * {@code .ci/rxe-samples} runs it in a virtual machine, and its name keeps it out of the build's tests.
 */
class SocketsInterop {
    private static final int FIRST_PORT = 19_200;
    /** The heading, which is printed when the server listens. */
    private static final String LISTENS = "usec/xfer";
    private static final List<String> OPTIONS = List.of("-S 50000 -C 10 -I 2 -T b -T v",
            "-S 5000 -C 10 -I 2 -T a -T v");

    private static SamplesJvm channels;
    private static int nextPort = FIRST_PORT;

    private final InteropSettings settings = InteropSettings.ofSystemProperties();

    @AfterAll
    static void endTheJvm() {
        if (channels != null) {
            channels.close();
        }
    }

    /** With -T s, rstream calls the functions of Linux. */
    private enum Sockets {
        RSOCKET(List.of()), LIBRSPRELOAD(List.of("-T", "s"));

        private final List<String> option;

        Sockets(List<String> option) {
            this.option = option;
        }

        private RdmacmProgram start(InteropSettings settings, List<String> words) throws Exception {
            List<String> all = new ArrayList<>(words);
            all.addAll(option);
            return this == RSOCKET
                    ? RdmacmProgram.start(settings.programPrefix(), all)
                    : PreloadedProgram.start(settings, all);
        }
    }

    @TestFactory
    Stream<DynamicTest> bothSidesOfRstreamTransferAllBytes() {
        return Stream.of(Sockets.values())
                .flatMap(sockets -> OPTIONS.stream().flatMap(options -> Stream.of(
                        dynamicTest("java server, c client: " + sockets + " " + options, () -> serve(sockets, options)),
                        dynamicTest("c server, java client: " + sockets + " " + options,
                                () -> connect(sockets, options)))));
    }

    private SamplesJvm start(List<String> words) throws Exception {
        if (channels == null || !channels.isRunning()) {
            channels = SamplesJvm.withChannels(settings);
        }
        List<String> all = new ArrayList<>(words);
        all.addAll(List.of("-T", "s"));
        channels.start(all);
        return channels;
    }

    private static List<String> words(String side, String address, String options) {
        return List.of(("rstream " + side + " " + address + " -p " + nextPort + " " + options).split(" "));
    }

    private void serve(Sockets sockets, String options) throws Exception {
        nextPort++;
        SamplesJvm server = start(words("-b", settings.jvmAddress(), options));
        server.awaitLine(LISTENS);
        try (RdmacmProgram client = sockets.start(settings, words("-s", settings.jvmAddress(), options))) {
            Outcome ended = client.await();
            StreamPairings.check(server.await(), ended);
        }
    }

    private void connect(Sockets sockets, String options) throws Exception {
        nextPort++;
        try (RdmacmProgram server = sockets.start(settings, words("-b", settings.programAddress(), options))) {
            server.awaitLine(LISTENS);
            Outcome ended = start(words("-s", settings.programAddress(), options)).await();
            StreamPairings.check(server.await(), ended);
        }
    }
}
