package io.jverbs.soft.fabric.udp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.queue.ProcessorYield;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which thread receives while virtual threads wait, whatever occupies their carriers. */
@Timeout(120)
final class VirtualReceiverTest extends EngineWithWaits {
    private static final long MOST_NANOS = 100_000_000;
    private static final long SLOW_CALL_NANOS = 20_000;
    /** A second and more; a burst has 64 calls. */
    private static final int SLOW_CALLS = 60_000;
    /** A thread that parks for a moment is seen if another one looks again and again, and does not yield. */
    private static final int LOOKS = 100_000;
    private static final int CARRIERS = Runtime.getRuntime().availableProcessors();

    @Test
    void aVirtualThreadReceivesWhileVirtualThreadsWaitAndNeverBlocks() throws IOException {
        start(true);
        startWaits(2, 0);
        for (int i = 0; i < 20; i++) {
            awaitReceiver(true);
            socket.receiving = false;
            int before = socket.virtualCalls;
            // the device's thread blocks in the poller
            stopPackets();
            int calls = socket.virtualCalls - before;
            assertTrue(calls < MANY_CALLS, () -> calls + " calls without a packet");
            assertEquals(1, poller.registered.size());
        }
    }

    @Test
    void aVirtualThreadReceivesForThreadsOfBothKinds() throws IOException {
        start(true);
        startWaits(2, 2);
        awaitReceiver(true);
        stopPackets();
        awaitReceiver(true);
    }

    @ParameterizedTest
    @CsvSource({"true, 0, 3", "true, 1, 1", "true, 1, 0", "false, 3, 0"})
    void theDeviceThreadReceivesOtherwise(boolean suits, int virtual, int platform) throws IOException {
        start(suits);
        startWaits(virtual, platform);
        awaitReceiver(false);
        awaitManyCalls();
        assertEquals(0, socket.virtualCalls);
    }

    /** Virtual threads that spin, one for each carrier. */
    private final class BusyThreads implements AutoCloseable {
        private final List<Thread> threads = new ArrayList<>();
        private final AtomicInteger started = new AtomicInteger();
        private volatile boolean ended;

        BusyThreads() {
            for (int i = 0; i < CARRIERS; i++) {
                threads.add(Thread.ofVirtual().start(() -> {
                    started.incrementAndGet();
                    while (!ended && !stopped) {
                        Thread.onSpinWait();
                    }
                }));
            }
        }

        @Override
        public void close() {
            ended = true;
            await(() -> threads.stream().noneMatch(Thread::isAlive));
        }
    }

    /** The shortest of several times, since other processes may occupy the processors. */
    @Test
    void theDeviceThreadReceivesSoonWhenTheCarriersAreOccupied() throws IOException {
        start(true);
        startWaits(2, 0);
        long shortest = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            awaitReceiver(true);
            long start = System.nanoTime();
            try (BusyThreads busy = new BusyThreads()) {
                await(() -> busy.started.get() == CARRIERS);
                await(() -> isReceiver(false));
                shortest = Math.min(shortest, System.nanoTime() - start);
                awaitManyCalls();
                assertTrue(isReceiver(false));
            }
        }
        awaitReceiver(true);
        assertTrue(shortest < MOST_NANOS, "nanoseconds: " + shortest);
    }

    /** If it yielded, it might not run again, and what its last burst has left would stay. */
    @Test
    void aVirtualThreadThatIsStoppedInABurstDoesNotYieldBeforeItHandsOver() throws IOException {
        start(true);
        startWaits(2, 0);
        // other threads do not always run before a thread that yields
        for (int i = 0; i < 10; i++) {
            awaitReceiver(true);
            socket.virtualSpins = true;
            await(() -> socket.spinning);
            try (BusyThreads busy = new BusyThreads()) {
                // the virtual thread is late, and still occupies a carrier
                await(() -> busy.started.get() == CARRIERS - 1 && !engine.thread().isVirtualActive());
                socket.receiving = false;
                socket.virtualSpins = false;
                await(() -> isParkedInactive(socket.virtualCaller));
            } finally {
                socket.virtualSpins = false;
            }
            socket.spinning = false;
        }
    }

    /**
     * A yield of the processor is a y, a burst without a packet a minus. Repeated, since the virtual thread may park
     * instead of the first yield, or the device's thread may stop it, if other processes occupy the processors.
     */
    @Test
    void theVirtualThreadYieldsItsProcessorAfterTheSecondBurstWithoutPacketsAndNotAfterTheLast() throws IOException {
        Runnable before = ProcessorYield.provide(() -> {
            if (Thread.currentThread() == socket.virtualCaller) {
                socket.idleCalls.append('y');
            }
        });
        try {
            start(true);
            startWaits(2, 0);
            await(() -> {
                awaitReceiver(true);
                stopPackets();
                String calls = socket.idleCalls.toString();
                assertFalse(calls.startsWith("-y"), calls);
                return calls.matches("--(y-)+");
            });
        } finally {
            ProcessorYield.provide(before);
        }
    }

    /** Otherwise threads that timers and platform threads wake may have to wait for the carrier. */
    @Test
    void theVirtualThreadParksAfterMillisecondsThoughPacketsKeepArriving() throws IOException {
        start(true);
        startWaits(2, 0);
        // slow, so that this thread sees it
        socket.inVirtualCall = () -> spin(SLOW_CALL_NANOS);
        awaitReceiver(true);
        Thread virtual = socket.virtualCaller;
        AtomicInteger watched = new AtomicInteger();
        await(() -> isSeenParkedBetweenBursts(virtual, watched) || watched.get() > SLOW_CALLS);
        assertTrue(watched.get() <= SLOW_CALLS);
    }

    /** Also counts the calls that it sees one by one: others were made while this thread did not run. */
    private boolean isSeenParkedBetweenBursts(Thread virtual, AtomicInteger watched) {
        int latest = socket.virtualCalls;
        for (int i = 0; i < LOOKS; i++) {
            if (isParkedBetweenBursts(virtual)) {
                return true;
            }
            int calls = socket.virtualCalls;
            if (calls - latest == 1) {
                watched.incrementAndGet();
            }
            latest = calls;
        }
        return false;
    }

    private boolean isParkedBetweenBursts(Thread virtual) {
        return virtual.getState() == Thread.State.TIMED_WAITING && LockSupport.getBlocker(virtual) == null
                && engine.thread().isVirtualActive();
    }

    private static void spin(long nanos) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < nanos) {
            Thread.onSpinWait();
        }
    }

    @Test
    void theDeviceThreadReceivesWhenVirtualThreadsWaitNoLonger() throws IOException {
        start(true);
        startWaits(2, 0);
        awaitReceiver(true);
        waiting.forEach(Thread::interrupt);
        await(() -> waiting.stream().noneMatch(Thread::isAlive));
        // the device's thread may have stopped it before, and make it active again after the present burst
        awaitManyCalls();
        await(() -> isReceiver(false) && !engine.thread().isVirtualActive());
        awaitManyCalls();
        assertTrue(isReceiver(false));
    }

    @Test
    void aPlatformThreadThatWaitsReceivesInsteadOfTheVirtualThread() throws Exception {
        start(true);
        startWaits(2, 0);
        awaitReceiver(true);
        Thread virtual = socket.receiver;
        waiting.getFirst().interrupt();
        waiting.getFirst().join();
        // it receives for 20 ms, in which other processes may occupy the processors
        await(() -> {
            Thread platform = startWait(Thread.ofPlatform());
            long start = System.nanoTime();
            await(() -> socket.receivers.contains(platform) || System.nanoTime() - start > MOST_NANOS);
            if (socket.receivers.contains(platform)) {
                return true;
            }
            platform.interrupt();
            await(() -> !platform.isAlive());
            return false;
        });
        await(() -> isParkedInactive(virtual));
        int before = socket.virtualCalls;
        awaitManyCalls();
        assertEquals(before, socket.virtualCalls);
    }

    /** The device's thread and those that poll wait for it, and do not block in the poller. */
    @Test
    void aVirtualThreadThatIsUnmountedWithTheLockOfTheEngineHeldOnlyDelaysTheOthers() throws Exception {
        start(true);
        startWaits(2, 0);
        awaitReceiver(true);
        CountDownLatch released = new CountDownLatch(1);
        try {
            socket.beforeVirtualCall = released;
            await(() -> socket.held != null && socket.held.getState() == Thread.State.WAITING);
            int before = socket.calls;
            engine.poll();
            Thread.sleep(20);
            assertEquals(before, socket.calls);
            assertFalse(poller.isWaiting());
        } finally {
            socket.beforeVirtualCall = null;
            released.countDown();
        }
        awaitManyCalls();
        await(() -> isReceiver(true));
        stopPackets();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theVirtualThreadEndsWithTheEngine(boolean isActive) throws IOException {
        start(true);
        startWaits(2, 0);
        awaitReceiver(true);
        Thread virtual = socket.receiver;
        if (!isActive) {
            stopPackets();
            assertTrue(virtual.isAlive());
        }
        engine.close();
        poller.wakeup();
        await(() -> !virtual.isAlive());
    }

    @Test
    void pollsLeaveReceivingToTheThreadThatServesManyAfterItHasReceived() throws IOException {
        start(true);
        startWaits(2, 0);
        awaitReceiver(true);
        stopPackets();
        engine.poll();
        int calls = socket.calls;
        // after a yield
        engine.pollAlways();
        assertEquals(++calls, socket.calls);
        for (int i = 1; i < ReceiveEngine.SKIPPED_POLLS; i++) {
            engine.poll();
        }
        assertEquals(calls, socket.calls);
        engine.poll();
        assertEquals(calls + 1, socket.calls);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void pollsReceiveAgainWhenNoThreadWaitsThoughPacketsKeepArriving(boolean isVirtual) throws IOException {
        start(true);
        startWaits(2, 0);
        if (!isVirtual) {
            // the device's thread receives instead
            socket.virtualError = new OutOfMemoryError("no memory for a packet");
        }
        awaitReceiver(isVirtual);
        if (!isVirtual) {
            // after some failures, the next attempt is late enough
            await(() -> socket.virtualCalls >= 4);
            awaitManyCalls();
        }
        await(() -> engine.thread().isServingMany());
        waiting.forEach(Thread::interrupt);
        await(() -> !engine.thread().isServingMany());
        await(() -> {
            engine.poll();
            return socket.receiver == Thread.currentThread();
        });
    }
}
