package io.jverbs.soft.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Gid;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.cm.CmEventChannel;
import io.jverbs.cm.CmId;
import io.jverbs.cm.PortSpace;
import io.jverbs.contract.fixture.CapturedLog;
import io.jverbs.control.DeviceCounters;
import io.jverbs.soft.LoopbackAddress;
import io.jverbs.soft.device.LocalDevice;
import io.jverbs.soft.fabric.LocalNetwork;
import io.jverbs.soft.fabric.RealTimers;
import io.jverbs.soft.management.CmProbe;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A flood of REQs from forged hosts takes little time from those who connect. K51, K149. */
@Isolated("it compares times")
final class RequestFloodTest {
    private static final int PORT = 7471;
    /** The number of connects whose median is taken, and the backlog, in a flood. */
    private static final int WARMUP = 1000;
    private static final int CONNECTS = 500;
    private static final int BACKLOG = 64;
    /** The median of their ratios counts: the machine may be busy for a second. */
    private static final int ROUNDS = 9;
    private static final int UDP_RATE = 10_000;
    private static final double MAX_RATIO = 2;

    @RegisterExtension
    final CapturedLog log = CapturedLog.named("io.jverbs");

    /** Connects without and during a flood, several times, and compares the medians of the times. */
    private static void assertServed(HonestClient client, String target, Supplier<RequestFlood> start, int rate,
            int connects) throws InterruptedException {
        double[] ratios = new double[ROUNDS];
        List<String> rounds = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            long without = client.median(connects);
            try (RequestFlood flood = start.get()) {
                flood.awaitSent(rate / 10);
                long during = client.median(connects);
                ratios[round] = (double) during / without;
                rounds.add("to connect takes %d us, and %d us during a flood of %d REQs to %s"
                        .formatted(without / 1000, during / 1000, flood.sent(), target));
            }
        }
        System.out.println(String.join(System.lineSeparator(), rounds));
        Arrays.sort(ratios);
        assertTrue(ratios[ROUNDS / 2] <= MAX_RATIO, rounds::toString);
    }

    /**
     * The columns are whom the REQs are for, and how many there are in a second. The other program leaves its requests
     * in the channel, the same program rejects those that are not honest.
     */
    @ParameterizedTest
    @CsvSource({"another program, 100000", "the same program, 5000"})
    void anHonestConnectorIsServedDuringAFloodOfRequestsWithinTwiceItsTime(String target, int rate) throws Exception {
        LocalNetwork network = new LocalNetwork(new RealTimers());
        LocalDevice attacked = new LocalDevice(0, network);
        InetSocketAddress honest = new InetSocketAddress(attacked.gid().toInetAddress(), PORT);
        InetSocketAddress silent = new InetSocketAddress(attacked.gid().toInetAddress(), PORT + 1);
        InetSocketAddress flooded = target.equals("the same program") ? honest : silent;
        try (RdmaContext server = attacked.open(); RdmaContext other = new LocalDevice(1, network).open()) {
            try (HonestServer program = new HonestServer(server, honest, BACKLOG);
                    CmEventChannel channel = CmEventChannel.create(server);
                    CmId listener = channel.createId(PortSpace.TCP)) {
                listener.bind(silent);
                listener.listen(BACKLOG);
                HonestClient client = new HonestClient(other, honest);
                client.median(WARMUP);
                assertServed(client, target,
                        () -> new RequestFlood(attacked.gid(), RequestFlood.within(attacked, network),
                                flooded.getPort(), rate, null),
                        rate, CONNECTS);
                HostileManagementTest.assertStatesAreBounded(new CmProbe(attacked.port()), 2 * BACKLOG);
                client.connect();
                Map<String, Long> counters = attacked.port().counters();
                assertTrue(flooded == honest || counters.get("cm_rx_backlog_full") > 0, counters::toString);
                program.assertRuns();
            }
        }
        assertEquals(List.of(), log.warnings());
    }

    @Test
    void anHonestConnectorIsServedDuringAFloodOverUdpWithinTwiceItsTime() throws Exception {
        String host = LoopbackAddress.next();
        InetSocketAddress honest = new InetSocketAddress(host, PORT);
        InetSocketAddress silent = new InetSocketAddress(host, PORT + 1);
        try (RdmaContext server = Verbs.open("soft:" + host + "?fabric=wire");
                RdmaContext other = Verbs.open("soft:" + LoopbackAddress.next() + "?fabric=wire");
                HonestServer program = new HonestServer(server, honest, BACKLOG);
                CmEventChannel channel = CmEventChannel.create(server);
                CmId listener = channel.createId(PortSpace.TCP);
                FloodingHosts hosts = new FloodingHosts(host)) {
            listener.bind(silent);
            listener.listen(BACKLOG);
            HonestClient client = new HonestClient(other, honest);
            client.median(WARMUP);
            Gid victim = Gid.ofAddress(honest.getAddress());
            assertServed(client, "another program over UDP",
                    () -> new RequestFlood(victim, hosts, silent.getPort(), UDP_RATE, null), UDP_RATE,
                    CONNECTS / 2);
            client.connect();
            Map<String, Long> counters = server.device().capability(DeviceCounters.class).orElseThrow().snapshot();
            assertTrue(counters.get("cm_rx_backlog_full") > 0, counters::toString);
            program.assertRuns();
        }
        assertEquals(List.of(), log.warnings());
    }
}
