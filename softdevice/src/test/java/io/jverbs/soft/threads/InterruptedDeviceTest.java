package io.jverbs.soft.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.control.PacketCapture;
import io.jverbs.soft.LoopbackAddress;
import io.jverbs.soft.PairOfQueuePairs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The program interrupts the threads of a device. They keep working, and still block when idle. */
@Timeout(120)
final class InterruptedDeviceTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int MESSAGES = 20;

    @TempDir
    private Path folder;

    @Test
    void receiveThreadKeepsWorkingAndBlocksWhenIdleAfterInterrupts() throws Exception {
        String own = LoopbackAddress.next();
        String engine = "jverbs-soft-" + own;
        try (PairOfQueuePairs pair = new PairOfQueuePairs("soft:" + own + "?fabric=wire", LoopbackAddress.wired(),
                QpType.RC)) {
            for (int i = 0; i < MESSAGES; i++) {
                DeviceThreads.interrupt(engine);
                assertEquals(WcStatus.SUCCESS, pair.left.run(pair.request(8).opcode(WrOpcode.RDMA_WRITE)));
            }
            DeviceThreads.interrupt(engine);
            DeviceThreads.assertIdle(engine);
        }
    }

    @Test
    void receiveThreadStillDeliversEventsAfterInterruptWhileBlocked() throws Exception {
        String own = LoopbackAddress.next();
        String engine = "jverbs-soft-" + own;
        try (Listener left = new Listener(LoopbackAddress.wired());
                Listener right = new Listener("soft:" + own
                        + "?fabric=wire")) {
            left.connect(right);
            for (int i = 0; i < MESSAGES; i++) {
                right.cq.requestNotification(false);
                right.receive();
                DeviceThreads.interrupt(engine);
                left.send();
                right.awaitEvent();
                left.awaitDone();
            }
            DeviceThreads.interrupt(engine);
            DeviceThreads.assertIdle(engine);
        }
    }

    @Test
    void timerThreadKeepsWorkingAndBlocksWhenIdleAfterInterrupts() throws Exception {
        String timer = "jverbs-soft-timer";
        try (Listener left = new Listener("soft"); Listener right = new Listener("soft")) {
            left.connect(right);
            for (int i = 0; i < MESSAGES; i++) {
                // the receiver is not ready: a timer triggers the RNR retry
                left.send();
                DeviceThreads.interrupt(timer);
                right.receive();
                left.awaitDone();
                right.awaitDone();
            }
            DeviceThreads.interrupt(timer);
            DeviceThreads.assertIdle(timer);
        }
    }

    @Test
    void threadOfSimulatedNetworkInRealTimeKeepsWorkingAndBlocksWhenIdleAfterInterrupts() throws Exception {
        String options = "?seed=4&network=interrupts&time=real&delay=1ms";
        try (Listener left = new Listener("soft:sim0" + options);
                Listener right = new Listener("soft:sim1"
                        + options)) {
            left.connect(right);
            String network = Thread.getAllStackTraces().keySet().stream().map(Thread::getName)
                    .filter(name -> name.contains("interrupts")).findAny().orElseThrow();
            for (int i = 0; i < MESSAGES; i++) {
                right.cq.requestNotification(false);
                right.receive();
                left.send();
                DeviceThreads.interrupt(network);
                right.awaitEvent();
                left.awaitDone();
            }
            DeviceThreads.interrupt(network);
            DeviceThreads.assertIdle(network);
        }
    }

    @Test
    void captureThreadKeepsWorkingAndBlocksWhenIdleAfterInterrupts() throws Exception {
        assertCaptureComplete("all.pcapng", "");
    }

    @Test
    void captureThreadOfRingKeepsWorkingAndBlocksWhenIdleAfterInterrupts() throws Exception {
        assertCaptureComplete("ring.pcapng", "?ring=1000");
    }

    private void assertCaptureComplete(String name, String options) throws Exception {
        String writer = "jverbs-capture";
        Path file = folder.resolve(name);
        try (PairOfQueuePairs pair = PairOfQueuePairs.within(QpType.RC);
                PacketCapture.Running running = PairOfQueuePairs.capture(pair.leftDevice).start(file + options)) {
            long before = 0;
            for (int i = 0; i < MESSAGES; i++) {
                DeviceThreads.interrupt(writer);
                assertEquals(WcStatus.SUCCESS, pair.left.run(pair.request(8).opcode(WrOpcode.RDMA_WRITE)));
                DeviceThreads.interrupt(writer);
                running.flush();
                long size = Files.size(file);
                assertTrue(size > before, "flush added nothing to the file of " + before + " bytes");
                before = size;
            }
            DeviceThreads.interrupt(writer);
            DeviceThreads.assertIdle(writer);
            assertEquals(2 * MESSAGES, running.packets());
        }
    }

    /** One end of a connection that waits for completion events. */
    private static final class Listener implements AutoCloseable {
        private final RdmaContext context;
        private final CompletionChannel channel;
        private final CompletionQueue cq;
        private final MemoryRegion memory;
        private final QueuePair qp;
        private final WorkCompletions done = WorkCompletions.create(1);

        Listener(String selector) {
            context = Verbs.open(selector);
            channel = context.createCompletionChannel();
            cq = context.createCompletionQueue(16, channel);
            ProtectionDomain pd = context.allocatePd();
            memory = pd.allocate(64, Access.LOCAL_WRITE);
            qp = pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).maxSendWr(4).maxRecvWr(4).build());
        }

        void connect(Listener other) {
            qp.connect(other.qp.localInfo());
            other.qp.connect(qp.localInfo());
        }

        void receive() {
            qp.postReceive(ReceiveWorkRequest.create(1).sge(memory, 0, 64));
        }

        void send() {
            qp.postSend(SendWorkRequest.create(1).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED).sge(memory, 0, 64));
        }

        void awaitDone() {
            DeviceThreads.await("a completion", () -> cq.poll(done) == 1);
            assertEquals(WcStatus.SUCCESS, done.status(0));
        }

        void awaitEvent() throws InterruptedException {
            assertNotNull(channel.awaitEvent(TIMEOUT), "no completion event within " + TIMEOUT);
            cq.acknowledgeEvents(1);
            awaitDone();
        }

        @Override
        public void close() {
            context.close();
        }
    }
}
