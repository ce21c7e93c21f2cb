package io.jverbs.samples.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.samples.interop.process.ChannelsJvm;
import io.jverbs.samples.interop.process.InteropSettings;
import io.jverbs.samples.interop.process.Outcome;
import io.jverbs.samples.interop.process.PreloadedProgram;
import io.jverbs.samples.interop.process.RdmacmProgram;
import io.jverbs.samples.interop.program.Forwarder;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * iperf, version 2: its client is on RDMA, as it is preloaded with librspreload, its server is on TCP, and a program
 * with the JDK's channels forwards between both. It needs rxe0: {@code .ci/rxe-samples} runs it in a virtual
 * machine, and its name keeps it out of the build's tests.
 */
class IperfInterop {
    private static final int FIRST_PORT = 19_600;
    private static final String LOCAL = "127.0.0.1";
    private static final String LISTENS = "Server listening";
    /** The end of a row, in which both sides write what they have transferred. */
    private static final String ROW = "sec  2.00 MBytes ";

    private static int nextPort = FIRST_PORT;

    private final InteropSettings settings = InteropSettings.ofSystemProperties();
    private final String tcpPort = Integer.toString(nextPort++);
    private final String rdmaPort = Integer.toString(nextPort++);

    private static List<String> server(String address, String port) {
        return List.of("iperf", "-s", "-B", address, "-p", port);
    }

    private static List<String> client(String address, String port) {
        return List.of("iperf", "-c", address, "-p", port, "-n", "2M");
    }

    /** The connections with an address are on RDMA, and the others on TCP. */
    private RdmacmProgram forwarder(String rdma, String... addresses) throws Exception {
        RdmacmProgram forwarder = ChannelsJvm.start(settings, rdma, Forwarder.class.getName(), List.of(addresses));
        forwarder.awaitLine("forwards to");
        return forwarder;
    }

    /** The server runs until it is killed. */
    private static void check(RdmacmProgram server, RdmacmProgram forwarder, RdmacmProgram client) throws Exception {
        Outcome ended = client.await();
        server.awaitLine(ROW);
        server.kill();
        forwarder.kill();
        Outcome served = server.await();
        String outputs = served.describe("the server") + forwarder.await().describe("the forwarder")
                + ended.describe("the client");
        assertEquals("0", ended.status(), outputs);
        for (Outcome each : List.of(ended, served)) {
            assertTrue(each.lines().stream().anyMatch(line -> line.contains(ROW)), outputs);
        }
    }

    @Test
    void aClientOnRdmaSendsToAServerOnTcp() throws Exception {
        String address = settings.jvmAddress();
        try (RdmacmProgram server = RdmacmProgram.start(List.of(), server(LOCAL, tcpPort));
                RdmacmProgram forwarder = forwarder(address, address, rdmaPort, LOCAL, tcpPort)) {
            server.awaitLine(LISTENS);
            try (RdmacmProgram client = PreloadedProgram.start(settings, client(address, rdmaPort))) {
                check(server, forwarder, client);
            }
        }
    }
}
