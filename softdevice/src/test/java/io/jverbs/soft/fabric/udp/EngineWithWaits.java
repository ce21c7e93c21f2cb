package io.jverbs.soft.fabric.udp;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.fabric.SoftPort;
import io.jverbs.soft.fabric.WaitQueue;
import io.jverbs.soft.queue.DeferredWork;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;

/** An engine whose socket receives what a test wants, and threads that wait for events that never come. */
abstract class EngineWithWaits {
    private static final long SECONDS = 30;
    static final int MANY_CALLS = 10_000;

    final IdleSocket socket = new IdleSocket();
    final TestPoller poller = new TestPoller();
    private final Events queue = new Events();
    final List<Thread> waiting = new ArrayList<>();
    ReceiveEngine engine;
    volatile boolean stopped;

    /** A queue without events. */
    private static final class Events extends WaitQueue<String> {
        @Override
        protected boolean isEmpty() {
            return true;
        }

        @Override
        protected String take() {
            return null;
        }

        @Override
        protected void clear() {
            // it is empty
        }
    }

    /** Makes an engine without its thread. */
    final void create(boolean suitsVirtualReceiver) {
        poller.suitsVirtualReceiver = suitsVirtualReceiver;
        engine = new ReceiveEngine(IdleSocket.GID, "test", socket, poller, new DeferredWork.DeferredQueue());
        engine.serve(new SoftPort("test", null, null), null);
    }

    /** Starts an engine, whose thread blocks then. */
    final void start(boolean suitsVirtualReceiver) throws IOException {
        create(suitsVirtualReceiver);
        engine.start();
        await(poller::isWaiting);
    }

    @AfterEach
    void close() throws InterruptedException {
        stopped = true;
        socket.receiving = false;
        engine.close();
        poller.wakeup();
        for (Thread each : waiting) {
            each.interrupt();
            each.join();
        }
    }

    final Thread startWait(Thread.Builder builder) {
        Thread thread = builder.start(() -> {
            try {
                engine.completionWait().await(queue, Long.MAX_VALUE);
            } catch (InterruptedException e) {
                // the test ends
            }
        });
        waiting.add(thread);
        return thread;
    }

    /** Starts threads, and waits until those that are virtual wait for events. */
    final void startWaits(int virtual, int platform) {
        for (int i = 0; i < virtual + platform; i++) {
            startWait(i < virtual ? Thread.ofVirtual() : Thread.ofPlatform());
        }
        await(() -> waiting.stream().allMatch(each -> each.getState() == Thread.State.WAITING || !each.isVirtual()));
    }

    static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - deadline < 0, "the condition was not met within " + SECONDS + " s");
            Thread.yield();
        }
    }

    final boolean isReceiver(boolean isVirtual) {
        Thread receiver = socket.receiver;
        return receiver != null && receiver.isVirtual() == isVirtual;
    }

    /** Lets packets arrive until a thread of a kind has received one. */
    final void awaitReceiver(boolean isVirtual) {
        socket.receiver = null;
        socket.receiving = true;
        poller.wakeup();
        await(() -> isReceiver(isVirtual));
    }

    final void awaitManyCalls() {
        int before = socket.calls;
        await(() -> socket.calls - before > MANY_CALLS);
    }

    /** Stops the packets that a virtual thread has received, until nothing wakes the device's thread any more. */
    final void stopPackets() {
        Thread virtual = socket.virtualCaller;
        socket.receiving = false;
        await(() -> isParkedInactive(virtual) && poller.isWaiting());
    }

    /** For a limited time: if it lacks the memory to be unmounted, it keeps its carrier so long. */
    static boolean isParkedInactive(Thread virtual) {
        return virtual.getState() == Thread.State.TIMED_WAITING && LockSupport.getBlocker(virtual) != null;
    }
}
