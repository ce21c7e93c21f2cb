package io.jverbs.samples.sockets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.samples.ChildJvm;
import io.jverbs.samples.InOtherProcesses;
import io.jverbs.samples.Run;
import io.jverbs.samples.Samples;
import io.jverbs.samples.SamplesProcess;
import io.jverbs.samples.interop.process.Polling;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Server and client of netty-echo, each in a JVM of its own: the property of a provider is that of a JVM. */
@InOtherProcesses
class NettyEchoTest {
    private static final int SECONDS = 60;
    private static final String SERVER = "127.0.49.1";
    private static final String CLIENT = "127.0.49.2";

    private static ChildJvm start(String address, String rule, String words) throws IOException {
        return ChildJvm.start(SamplesProcess.classPath(),
                List.of("-Djverbs.device=soft:" + address + "?fabric=wire", "-Djverbs.nio.rdma=" + rule, "-Xmx1g"),
                Samples.class.getName(), List.of(words.split(" ")));
    }

    private static void awaitListening(ChildJvm server) throws InterruptedException {
        Polling.until(() -> server.output().contains("listens at "), server::isRunning);
        assertTrue(server.output().contains("listens at "), server::output);
    }

    @ParameterizedTest
    @CsvSource({"always, 2", "192.0.2.0/24, 1"})
    void theClientPrintsItsRoundTripsAndWithRdmaTheCountersOfItsStream(String rule, int lines) throws Exception {
        try (ChildJvm server = start(SERVER, rule, "netty-echo -b " + SERVER + " -p 7491")) {
            awaitListening(server);
            try (ChildJvm client = start(CLIENT, rule, "netty-echo -s " + SERVER + " -p 7491 -S 1000 -C 20")) {
                Run run = client.await(SECONDS);
                assertEquals(0, run.status(), () -> run.err() + server.output());
                assertTrue(run.lines().getFirst().startsWith("20 round trips of 1000 bytes, "), run.out());
                assertEquals(lines, run.lines().size(), run.out());
                if (lines == 2) {
                    assertEquals("by RDMA: 20000 bytes sent, 20000 received", run.lines().getLast());
                }
            }
        }
    }

    @Test
    void aServerThatDoesNotListenIsReported() throws Exception {
        try (ChildJvm client = start(CLIENT, "always", "netty-echo -s " + CLIENT + " -p 7492")) {
            Run run = client.await(SECONDS);
            assertEquals(1, run.status(), run.out());
            assertTrue(run.err().lines().toList().getLast().startsWith("samples/run netty-echo: "), run.err());
        }
    }

    @Test
    void anAddressThatTheServerDoesNotHaveIsReported() throws Exception {
        try (ChildJvm server = start(SERVER, "always", "netty-echo -b 192.0.2.1 -p 7493")) {
            Run run = server.await(SECONDS);
            assertEquals(1, run.status(), run.out());
            assertTrue(run.err().lines().toList().getLast().startsWith("samples/run netty-echo: "), run.err());
        }
    }
}
