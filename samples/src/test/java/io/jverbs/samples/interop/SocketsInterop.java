package io.jverbs.samples.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.jverbs.samples.interop.process.ChannelsJvm;
import io.jverbs.samples.interop.process.InteropSettings;
import io.jverbs.samples.interop.process.Outcome;
import io.jverbs.samples.interop.process.PreloadedProgram;
import io.jverbs.samples.interop.process.RdmacmProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs in Java that know only the JDK's channels, with programs in C that use rsocket, or that know only the
 * sockets of Linux and are preloaded with librspreload. It needs rxe0: {@code .ci/rxe-samples} runs it in a virtual
 * machine, and its name keeps it out of the build's tests.
 */
class SocketsInterop {
    private static final int FIRST_PORT = 19_200;
    private static final int FILE_BYTES = 300_000;
    /** The heading, which is printed when the server listens. */
    private static final String LISTENS = "usec/xfer";
    private static final String OPTIONS = "-S 50000 -C 10 -I 2 -T b -T v";

    private static int nextPort = FIRST_PORT;

    private final InteropSettings settings = InteropSettings.ofSystemProperties();
    private final String port = Integer.toString(nextPort++);

    @TempDir
    private Path folder;

    private RdmacmProgram sample(String words) throws IOException {
        return ChannelsJvm.startSample(settings, List.of(words.split(" ")));
    }

    private RdmacmProgram preloaded(String words) throws IOException {
        return PreloadedProgram.start(settings, List.of(words.split(" ")));
    }

    private RdmacmProgram program(String words) throws IOException {
        return RdmacmProgram.start(settings.programPrefix(), List.of(words.split(" ")));
    }

    @Test
    void curlWithLibrspreloadGetsAFileFromTheHttpServerOfTheJdk() throws Exception {
        byte[] bytes = new byte[FILE_BYTES];
        new Random(1).nextBytes(bytes);
        Files.write(folder.resolve("file"), bytes);
        Path copy = folder.resolve("copy");
        try (RdmacmProgram server = sample("http-server " + folder + " -b " + settings.jvmAddress() + " -p " + port)) {
            server.awaitLine("serves ");
            try (RdmacmProgram client = preloaded("curl --silent --show-error --output " + copy + " http://"
                    + settings.jvmAddress() + ":" + port + "/file")) {
                Outcome ended = client.await();
                server.kill();
                String outputs = server.await().describe("the server") + ended.describe("the client");
                assertEquals("0", ended.status(), outputs);
                assertEquals(-1, Files.mismatch(folder.resolve("file"), copy), outputs);
            }
        }
    }

    @Test
    void aServerWithChannelsServesTheProgramWithRsocket() throws Exception {
        try (RdmacmProgram server = sample(
                "rstream -T s -b " + settings.jvmAddress() + " -p " + port + " " + OPTIONS)) {
            server.awaitLine(LISTENS);
            try (RdmacmProgram client = program(
                    "rstream -s " + settings.jvmAddress() + " -p " + port + " " + OPTIONS)) {
                Outcome ended = client.await();
                StreamPairings.check(server.await(), ended);
            }
        }
    }

    @Test
    void aClientWithChannelsIsServedByTheProgramWithRsocket() throws Exception {
        try (RdmacmProgram server = program(
                "rstream -b " + settings.programAddress() + " -p " + port + " " + OPTIONS)) {
            server.awaitLine(LISTENS);
            try (RdmacmProgram client = sample("rstream -T s -s " + settings.programAddress() + " -p " + port + " "
                    + OPTIONS)) {
                Outcome ended = client.await();
                StreamPairings.check(server.await(), ended);
            }
        }
    }

    /** With -T s, rstream calls the functions of Linux, and so librspreload. */
    @TestFactory
    Stream<DynamicTest> rstreamWithLibrspreloadTransfersAllBytes() {
        return Stream.of(dynamicTest("java server, c client", () -> servePreloaded(OPTIONS)),
                dynamicTest("c server, java client", () -> servedByPreloaded(OPTIONS)));
    }

    private void servePreloaded(String options) throws Exception {
        String words = settings.jvmAddress() + " -p " + nextPort++ + " -T s " + options;
        try (RdmacmProgram server = sample("rstream -b " + words)) {
            server.awaitLine(LISTENS);
            try (RdmacmProgram client = preloaded("rstream -s " + words)) {
                Outcome ended = client.await();
                StreamPairings.check(server.await(), ended);
            }
        }
    }

    private void servedByPreloaded(String options) throws Exception {
        String words = settings.programAddress() + " -p " + nextPort++ + " -T s " + options;
        try (RdmacmProgram server = preloaded("rstream -b " + words)) {
            server.awaitLine(LISTENS);
            try (RdmacmProgram client = sample("rstream -s " + words)) {
                Outcome ended = client.await();
                StreamPairings.check(server.await(), ended);
            }
        }
    }
}
