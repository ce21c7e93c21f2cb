package io.jverbs.soft.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.QpType;
import io.jverbs.WcStatus;
import io.jverbs.WrOpcode;
import io.jverbs.control.PacketCapture;
import io.jverbs.soft.LoopbackAddress;
import io.jverbs.soft.PairOfQueuePairs;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The program interrupts the threads of a device. They keep working, and still block when idle. */
@Timeout(120)
final class InterruptedDeviceTest {
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
        try (WaitingEnd left = new WaitingEnd(LoopbackAddress.wired());
                WaitingEnd right = new WaitingEnd("soft:" + own
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
        try (WaitingEnd left = new WaitingEnd("soft"); WaitingEnd right = new WaitingEnd("soft")) {
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
        try (WaitingEnd left = new WaitingEnd("soft:sim0" + options);
                WaitingEnd right = new WaitingEnd("soft:sim1"
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
}
