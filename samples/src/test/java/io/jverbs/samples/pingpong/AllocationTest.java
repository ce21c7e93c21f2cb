package io.jverbs.samples.pingpong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.jverbs.Mtu;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.samples.Run;
import io.jverbs.samples.TwoSides;
import io.jverbs.samples.connect.LocalAddress;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The loop allocates nothing: the allocated bytes do not grow with the number of messages. */
@Isolated("its threads spin on both processors")
class AllocationTest {
    private static final int WARM_UP = 500;
    private static final int ITERATIONS = 20_000;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @ParameterizedTest
    @CsvSource({"rc-pingpong, false", "rc-pingpong, true", "uc-pingpong, true", "ud-pingpong, true",
        "srq-pingpong, false", "srq-pingpong, true"})
    void theLoopAllocatesNothing(String program, boolean check) throws Exception {
        // The first run links and initializes classes.
        bytes(program, check, WARM_UP);
        long bytes = bytes(program, check, ITERATIONS);

        assertTrue(bytes < ITERATIONS, bytes + " bytes for " + ITERATIONS + " messages");
    }

    private static long bytes(String program, boolean check, int iterations) throws Exception {
        String port = Integer.toString(TwoSides.freePort());
        CompletableFuture<Run> server = TwoSides
                .inThread(() -> Run.of(program, "-d", PingPongRun.SERVER_DEVICE, "-p", port, "-s", "200",
                        "-n", Integer.toString(iterations), check ? "-c" : "--sl=0"));
        CompletableFuture<Long> client = TwoSides
                .inThread(() -> runClient(program, Integer.parseInt(port), check, iterations));
        long bytes = client.get(60, TimeUnit.SECONDS);
        assertEquals(0, server.get(60, TimeUnit.SECONDS).status());
        return bytes;
    }

    private static long runClient(String program, int port, boolean check, int iterations) {
        boolean shared = program.equals("srq-pingpong");
        Transport transport = transport(program).get();
        Settings settings = new Settings("localhost", port, PingPongRun.CLIENT_DEVICE, 1, 200, Mtu.MTU_1024, 500,
                iterations, 0, false, LocalAddress.NO_GID_INDEX, check, shared ? 16 : 1, false);
        try (RdmaContext context = Verbs.open(PingPongRun.CLIENT_DEVICE)) {
            Endpoint endpoint = new Endpoint(context, settings, transport, shared, null);
            List<Destination> own = endpoint.destinations();
            List<Destination> sent = shared ? SrqPingPongCommand.padded(own) : own;
            List<Destination> peers = PingPongRun
                    .untilConnected(() -> DestinationExchange.asClient("localhost", port, sent));
            endpoint.connect(peers);
            ContentCheck contents = check ? new ContentCheck(settings, own, peers, (byte) 0) : null;
            PingPong loop = new PingPong(settings, endpoint, transport.headroom(), contents, (byte) 0,
                    () -> false);
            long before = THREADS.getCurrentThreadAllocatedBytes();
            loop.run();
            return THREADS.getCurrentThreadAllocatedBytes() - before;
        }
    }

    private static Supplier<Transport> transport(String program) {
        return switch (program) {
            case "uc-pingpong" -> UcTransport::new;
            case "ud-pingpong" -> UdTransport::new;
            default -> RcTransport::new;
        };
    }
}
