package io.jverbs.soft.layers.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.CqInitAttributes;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.control.SimulatedNetwork;
import io.jverbs.fault.FaultInjection;
import io.jverbs.spi.DeviceLayer;
import java.time.Duration;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * Checks fault injection in a simulated network: it uses the clock of the network, and does not change anything else.
 */
final class FaultySimulatedClockTest {
    private static final Duration LATE = Duration.ofMillis(5);
    private static final Duration MINUTE = Duration.ofSeconds(60);
    private static final Duration HOUR = Duration.ofHours(1);

    /** One queue pair on each of two devices. */
    private static final class Peers implements AutoCloseable {
        final RdmaContext left;
        final RdmaContext right;
        final SimulatedNetwork network;
        final CompletionChannel channel;
        final CompletionQueue sent;
        final QueuePair one;
        final MemoryRegion source;
        final MemoryRegion target;
        final WorkCompletions completions = WorkCompletions.create(4);

        Peers(String options, Supplier<DeviceLayer[]> layers) {
            left = Verbs.select("soft:sim0?seed=4&network=faults" + options).open(layers.get());
            right = Verbs.select("soft:sim1?seed=4&network=faults" + options).open(layers.get());
            network = left.capability(SimulatedNetwork.class).orElseThrow();
            channel = left.createCompletionChannel();
            sent = left.createCompletionQueue(CqInitAttributes.of(64).withChannel(channel));
            ProtectionDomain leftPd = left.allocatePd();
            ProtectionDomain rightPd = right.allocatePd();
            source = leftPd.allocate(64, 0);
            target = rightPd.allocate(64, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
            one = leftPd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(sent).maxSendWr(16).build());
            QueuePair other = rightPd
                    .createQueuePair(QpInitAttributes.builder(QpType.RC).cq(right.createCompletionQueue(16)).build());
            one.connect(other.localInfo());
            other.connect(one.localInfo());
        }

        Peers(String options, String rules) {
            this(options, () -> new DeviceLayer[] {FaultInjection.parse(rules)});
        }

        void write(long id) {
            one.postSend(SendWorkRequest.create(1).wrId(id).opcode(WrOpcode.RDMA_WRITE).flags(SendFlags.SIGNALED)
                    .sge(source, 0, 64).remote(target.address(), target.rkey()));
        }

        boolean hasSent() {
            return sent.poll(completions, 1) != 0;
        }

        @Override
        public void close() {
            left.close();
            right.close();
        }
    }

    @Test
    void delaysUseTheClockOfTheNetwork() {
        try (Peers peers = new Peers("", "delay=5ms")) {
            peers.write(1);
            assertTrue(peers.network.runUntil(peers::hasSent, MINUTE));
            assertTrue(
                    peers.network.now().compareTo(LATE) >= 0 && peers.network.now().compareTo(LATE.multipliedBy(2)) < 0,
                    () -> "the network's time is " + peers.network.now());
        }
    }

    /** The device is polled for later completions while a delayed one waits. */
    @Test
    void eachDelayStartsWhenItsCompletionIsAdded() {
        try (Peers peers = new Peers("", "delay=5ms")) {
            peers.write(1);
            assertFalse(peers.network.runUntil(peers::hasSent, Duration.ofMillis(3)));
            peers.write(2);
            assertTrue(peers.network.runUntil(peers::hasSent, MINUTE));
            assertTrue(peers.network.runUntil(peers::hasSent, MINUTE));
            assertTrue(peers.network.now().compareTo(Duration.ofMillis(3 + 5 + 1)) < 0,
                    () -> "the network's time is " + peers.network.now());
        }
    }

    @Test
    void pollingAdvancesTheClockUntilADelayExpires() {
        try (Peers peers = new Peers("", "delay=5s")) {
            peers.write(1);
            int polls = 1;
            while (!peers.hasSent()) {
                polls++;
                assertTrue(polls < 1000, () -> "the network's time is " + peers.network.now());
            }
            assertTrue(peers.network.now().compareTo(Duration.ofSeconds(5)) >= 0);
        }
    }

    @Test
    void theEventOfADelayedCompletionUsesTheClockOfTheNetwork() throws InterruptedException {
        try (Peers peers = new Peers("", "delay=5ms")) {
            peers.sent.requestNotification(false);
            peers.write(1);
            assertSame(peers.sent, peers.channel.awaitEvent(HOUR));
            peers.sent.acknowledgeEvents(1);
            assertTrue(
                    peers.network.now().compareTo(LATE) >= 0 && peers.network.now().compareTo(LATE.multipliedBy(2)) < 0,
                    () -> "the network's time is " + peers.network.now());
            assertTrue(peers.hasSent());
        }
    }

    /** Without support by the layer, the wait would take the real time of all retries. */
    @Test
    void aWaitForRetriesTakesNoRealTime() throws InterruptedException {
        try (Peers peers = new Peers("&loss=1", FaultInjection.NO_RULES)) {
            peers.sent.requestNotification(false);
            peers.write(1);
            long start = System.nanoTime();
            assertSame(peers.sent, peers.channel.awaitEvent(HOUR));
            peers.sent.acknowledgeEvents(1);
            assertTrue(peers.network.now().compareTo(Duration.ofMillis(8 * 67)) > 0);
            assertTrue(System.nanoTime() - start < peers.network.now().toNanos(), "the wait took real time");
            assertTrue(peers.hasSent());
            assertEquals(WcStatus.RETRY_EXC_ERR, peers.completions.status(0));
        }
    }

    @Test
    void faultInjectionWithoutFiringRulesDoesNotChangeTheRun() throws InterruptedException {
        assertEquals(run(() -> new DeviceLayer[0]), run(() -> new DeviceLayer[] {FaultInjection.of()}));
        assertEquals(run(() -> new DeviceLayer[0]),
                run(() -> new DeviceLayer[] {FaultInjection.parse("post=EIO,nth=999")}));
    }

    @Test
    void runsWithTheSameDelaysAreIdentical() throws InterruptedException {
        Supplier<DeviceLayer[]> late = () -> new DeviceLayer[] {FaultInjection.parse("delay=50us,p=0.3,seed=2")};
        assertEquals(run(late), run(late));
    }

    /** Runs traffic with losses, polls and waits; returns the results that the seed determines. */
    private static String run(Supplier<DeviceLayer[]> layers) throws InterruptedException {
        try (Peers peers = new Peers("&loss=0.1&jitter=3us", layers)) {
            for (int i = 0; i < 20; i++) {
                peers.write(i);
                while (!peers.hasSent()) {
                    Thread.onSpinWait();
                }
                peers.sent.requestNotification(false);
                assertFalse(peers.hasSent());
                peers.write(100 + i);
                assertSame(peers.sent, peers.channel.awaitEvent(HOUR));
                peers.sent.acknowledgeEvents(1);
                assertTrue(peers.hasSent());
            }
            assertNull(peers.left.awaitAsyncEvent(Duration.ofMillis(2)));
            assertNull(peers.channel.awaitEvent(Duration.ofMillis(2)));
            return peers.network.now() + " " + peers.network.packetCount() + " " + peers.network.packetLogHash();
        }
    }
}
