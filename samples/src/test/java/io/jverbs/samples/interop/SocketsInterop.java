package io.jverbs.samples.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.samples.interop.process.InteropSettings;
import io.jverbs.samples.interop.process.Outcome;
import io.jverbs.samples.interop.process.RdmacmProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs in Java that know only the JDK's channels, with programs in C that use rsocket, or that know only the
 * sockets of Linux and are preloaded with librspreload. It needs rxe0: {@code .ci/rxe-samples} runs it in a virtual
 * machine, and its name keeps it out of the build's tests. Each program in Java has a JVM of its own, since a program
 * chooses the provider of its channels once.
 */
class SocketsInterop {
    private static final String PROVIDER = "-Djava.nio.channels.spi.SelectorProvider="
            + "io.jverbs.nio.RdmaSelectorProvider";
    private static final String PRELOAD = "LD_PRELOAD=/usr/lib/x86_64-linux-gnu/rsocket/librspreload.so.1";
    private static final int FIRST_PORT = 19_200;
    private static final int FILE_BYTES = 300_000;
    private static final String OPTIONS = "-S 50000 -C 10 -I 2 -T b -T v";

    private static int nextPort = FIRST_PORT;

    private final InteropSettings settings = InteropSettings.ofSystemProperties();
    private final String port = Integer.toString(nextPort++);

    @TempDir
    private Path folder;

    private RdmacmProgram jvm(String words) throws Exception {
        List<String> command = settings.sampleJvm(List.of(words.split(" ")));
        command.add(1, PROVIDER);
        command.add(1, "-Djverbs.nio.rdma=always");
        return RdmacmProgram.startJvm(command);
    }

    private RdmacmProgram program(String words) throws Exception {
        return RdmacmProgram.start(settings.programPrefix(), List.of(words.split(" ")));
    }

    @Test
    void curlWithLibrspreloadGetsAFileFromTheHttpServerOfTheJdk() throws Exception {
        byte[] bytes = new byte[FILE_BYTES];
        new Random(1).nextBytes(bytes);
        Files.write(folder.resolve("file"), bytes);
        Path copy = folder.resolve("copy");
        try (RdmacmProgram server = jvm("http-server " + folder + " -b " + settings.jvmAddress() + " -p " + port)) {
            server.awaitLine("serves ");
            try (RdmacmProgram client = program("env " + PRELOAD + " curl --silent --show-error --output " + copy
                    + " http://" + settings.jvmAddress() + ":" + port + "/file")) {
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
        try (RdmacmProgram server = jvm("rstream -T s -b " + settings.jvmAddress() + " -p " + port + " " + OPTIONS)) {
            server.awaitLine("usec/xfer");
            try (RdmacmProgram client = program(
                    "rstream -s " + settings.jvmAddress() + " -p " + port + " " + OPTIONS)) {
                check(client.await(), server);
            }
        }
    }

    @Test
    void aClientWithChannelsIsServedByTheProgramWithRsocket() throws Exception {
        try (RdmacmProgram server = program(
                "rstream -b " + settings.programAddress() + " -p " + port + " " + OPTIONS)) {
            server.awaitLine("usec/xfer");
            try (RdmacmProgram client = jvm("rstream -T s -s " + settings.programAddress() + " -p " + port + " "
                    + OPTIONS)) {
                check(client.await(), server);
            }
        }
    }

    private static void check(Outcome client, RdmacmProgram server) throws InterruptedException {
        Outcome served = server.await();
        String outputs = served.describe("the server") + client.describe("the client");
        Stream.of(client, served).forEach(each -> {
            assertEquals("0", each.status(), outputs);
            assertTrue(each.lines().getLast().startsWith("custom "), outputs);
        });
    }
}
