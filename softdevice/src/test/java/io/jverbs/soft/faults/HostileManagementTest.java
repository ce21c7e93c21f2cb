package io.jverbs.soft.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Gid;
import io.jverbs.QpType;
import io.jverbs.RdmaContext;
import io.jverbs.cm.CmEventType;
import io.jverbs.contract.fixture.CapturedLog;
import io.jverbs.soft.fabric.udp.ScriptedDevice;
import io.jverbs.soft.fuzz.PacketAccounting;
import io.jverbs.soft.management.CmProbe;
import io.jverbs.soft.management.communication.CmCounters;
import io.jverbs.soft.management.communication.CmDropReason;
import io.jverbs.soft.management.communication.CmNetwork;
import io.jverbs.soft.management.message.CmAttribute;
import io.jverbs.soft.management.message.ManagementDatagram;
import io.jverbs.soft.wire.Bth;
import io.jverbs.soft.wire.Deth;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A peer that sends arbitrary datagrams to QP1 ends no thread and fills no memory; each datagram is counted once. K22,
 * K51, K149.
 */
final class HostileManagementTest {
    /** Several runs, because one test must not take long. */
    private static final int RUNS = 4;
    private static final int DATAGRAMS = Integer.getInteger("jverbs.hostile.datagrams", 1_000_000) / RUNS;
    private static final long SEED = Long.getLong("jverbs.test.seed", 1);
    private static final Gid VICTIM = Gid.parse("::ffff:192.0.2.1");
    private static final Gid PEER = Gid.parse("::ffff:10.0.0.1");
    private static final int PORT = 7471;
    /** The number of datagrams between two turns of the program. */
    private static final int BURST = 200;
    private static final long DATAGRAM_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    /** Entries in the tables of a device for one connection: by its own ID, by the peer's, by the peer's queue pair. */
    private static final int TABLES = 3;
    private static final int MOST_OPEN = ManagementVictim.MAX_IDS + 2 * ManagementVictim.BACKLOG;
    private static final int MAX_TIMEWAIT = 16_384;

    @RegisterExtension
    final CapturedLog log = CapturedLog.named("io.jverbs");

    private final CmNetwork clock = new CmNetwork(SEED, 0, 0);
    private Random random;
    private HostileMessages messages;
    private ScriptedDevice device;
    private long sent;

    /** Receives what the device sends. */
    private void receive(ByteBuffer packet, InetSocketAddress to) {
        byte[] datagram = new byte[ManagementDatagram.BYTES];
        packet.get(packet.position() + Bth.BYTES + Deth.BYTES, datagram);
        messages.learn(datagram);
        sent++;
    }

    @RepeatedTest(RUNS)
    void eachDatagramIsRespondedToOrCountedByOneReasonAndTheNumberOfConnectionsIsBounded(RepetitionInfo run)
            throws Exception {
        random = new Random(RUNS * SEED + run.getCurrentRepetition());
        messages = new HostileMessages(random, VICTIM, PORT);
        device = new ScriptedDevice(VICTIM, clock, random, this::receive);
        ManagementAttacker attacker = new ManagementAttacker(random, VICTIM, messages);
        try (RdmaContext context = device.open();
                ManagementVictim victim = new ManagementVictim(context, random,
                        new InetSocketAddress(VICTIM.toInetAddress(), PORT),
                        new InetSocketAddress(PEER.toInetAddress(), PORT))) {
            CmProbe manager = new CmProbe(device.port());
            int largest = 0;
            long begin = System.nanoTime();
            for (int i = 0; i < DATAGRAMS; i++) {
                device.wire().deliver(attacker.next(), attacker.source());
                clock.runUntil(clock.nanoTime() + DATAGRAM_NANOS);
                if (i % BURST == 0) {
                    victim.run();
                    largest = Math.max(largest, manager.size());
                    assertStatesAreBounded(manager, MOST_OPEN);
                }
            }
            double seconds = (System.nanoTime() - begin) / 1e9;
            victim.drain();
            assertEquals(DATAGRAMS, PacketAccounting.outcomes(device.port().counters()),
                    () -> device.port().counters().toString());
            assertAddsUp(manager.counters(), victim);
            System.out.printf("QP1: %d hostile datagrams, %.0f a second, at most %d entries in the tables%n", DATAGRAMS,
                    DATAGRAMS / seconds, largest);
            assertTrue(victim.accepted() > 0 && victim.refused() > 0, () -> victim.accepted()
                    + " queue pairs were connected, " + victim.refused() + " were not");
            victim.closeIds();
            clock.runAll();
            victim.drain();
            assertEquals(0, manager.size());
        }
        assertEquals(List.of(), log.warnings());
    }

    private static long effective(CmCounters counters, CmAttribute attribute) {
        return counters.received(attribute) - Arrays.stream(CmDropReason.values())
                .mapToLong(reason -> counters.dropped(reason, attribute)).sum();
    }

    /** What was neither dropped nor refused has reached the program. */
    private void assertAddsUp(CmCounters counters, ManagementVictim victim) {
        Map<String, Long> port = device.port().counters();
        assertEquals(port.get("rcvd_pkts"), port.get("cm_rx_msgs") + port.get("cm_rx_malformed"));
        assertEquals(sent, port.get("cm_tx_msgs"));
        assertEquals(sent, port.get("sent_pkts"));
        for (CmAttribute attribute : CmAttribute.values()) {
            assertTrue(effective(counters, attribute) > 0 && counters.sent(attribute) > 0, attribute::name);
            assertEquals(counters.sent(attribute), port.get("cm_tx_msgs/" + attribute.label()));
            assertEquals(counters.received(attribute), port.get("cm_rx_msgs/" + attribute.label()));
            assertEquals(counters.retried(attribute), port.get("cm_tx_retries/" + attribute.label()));
            assertEquals(counters.dropped(CmDropReason.DUPLICATE, attribute),
                    port.get("cm_rx_duplicates/" + attribute.label()));
        }
        assertEquals(effective(counters, CmAttribute.REQ), victim.count(QpType.RC, CmEventType.CONNECT_REQUEST));
        assertEquals(effective(counters, CmAttribute.SIDR_REQ), victim.count(QpType.UD, CmEventType.CONNECT_REQUEST));
        assertEquals(effective(counters, CmAttribute.REP), victim.count(QpType.RC, CmEventType.CONNECT_RESPONSE));
        assertEquals(effective(counters, CmAttribute.RTU), victim.count(QpType.RC, CmEventType.ESTABLISHED));
        assertEquals(effective(counters, CmAttribute.SIDR_REP), victim.count(QpType.UD, CmEventType.ESTABLISHED,
                CmEventType.UNREACHABLE, CmEventType.ADDR_ERROR));
        long disconnected = victim.count(QpType.RC, CmEventType.DISCONNECTED);
        assertTrue(disconnected >= effective(counters, CmAttribute.DREQ), port::toString);
        assertTrue(disconnected <= effective(counters, CmAttribute.DREQ) + effective(counters, CmAttribute.DREP),
                port::toString);
    }

    /** All connections are known by at most three keys. Those in TIMEWAIT have a limit of their own. */
    static void assertStatesAreBounded(CmProbe manager, int connections) {
        int most = TABLES * (manager.timewaits() + connections);
        assertTrue(manager.size() <= most && manager.timewaits() <= MAX_TIMEWAIT,
                () -> manager.size() + " entries, expected at most " + most);
    }
}
