package io.jverbs.soft.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.AsyncEvent;
import io.jverbs.AsyncEventType;
import io.jverbs.CompletionQueue;
import io.jverbs.Errno;
import io.jverbs.MemoryRegion;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.VerbsException;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.control.DeviceRemoval;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * Devices are removed under traffic. Every posted request completes once; later calls fail with EIO.
 */
final class DeviceRemovalTest {
    private static final String SELECTOR = "soft:soft200";
    private static final int BYTES = 256;
    private static final int RECEIVES = 3;
    private static final int MAX_HEAD_START = 40_000;
    private static final int MAX_PAIRS = 4096;

    @Test
    void deviceRemovedUnderTrafficCompletesEachRequestOnceAndFailsLaterCallsWithEio() {
        SplittableRandom random = new SplittableRandom(4);
        try (Node survivor = Node.open(); WorkerThreads timer = new WorkerThreads()) {
            for (int i = 0; i == 0 || timer.isRunning(); i++) {
                removeUnderTraffic(survivor, random);
            }
        }
    }

    private static void removeUnderTraffic(Node survivor, SplittableRandom random) {
        try (Node victim = Node.open(SELECTOR); WorkerThreads workers = new WorkerThreads()) {
            Writer inside = new Writer(victim, victim, workers);
            Writer across = new Writer(survivor, victim, workers);
            Connector connector = new Connector(victim);
            workers.start("inside", inside::writeUntilItFails);
            workers.start("across", across::writeUntilItFails);
            workers.start("connector", connector::connectUntilItFails);
            for (int i = random.nextInt(MAX_HEAD_START); i > 0; i--) {
                Thread.onSpinWait();
            }
            remove(victim.context);
            workers.join();
            assertEquals(WcStatus.RETRY_EXC_ERR, across.failure, "a peer of the removed device times out");
            connector.check(workers);
            awaitFatalEvent(victim.context, workers);
            assertThrowsEio(victim.context);
            across.qp.close();
        }
    }

    private static void remove(RdmaContext context) {
        context.device().capability(DeviceRemoval.class).orElseThrow().remove();
    }

    private static void awaitFatalEvent(RdmaContext context, WorkerThreads workers) {
        AsyncEventType type = null;
        while (type != AsyncEventType.DEVICE_FATAL) {
            try (AsyncEvent event = context.awaitAsyncEvent(WorkerThreads.TIMEOUT)) {
                assertNotNull(event, "no DEVICE_FATAL event");
                type = event.type();
            } catch (InterruptedException e) {
                throw workers.timeout("DEVICE_FATAL");
            }
        }
    }

    private static void assertThrowsEio(RdmaContext context) {
        try {
            context.queryDevice();
        } catch (VerbsException e) {
            assertEquals(Errno.EIO, e.error());
            return;
        }
        throw new AssertionError("queryDevice succeeded on a removed device");
    }

    @Test
    void deviceOpenedDuringRemovalIsOldOrNewAndOldOneGetsDeviceFatal() {
        try (WorkerThreads workers = new WorkerThreads()) {
            AtomicReference<RdmaContext> present = new AtomicReference<>();
            var barrier = workers.barrier(2, () -> present.set(Verbs.open(SELECTOR)));
            var agreement = workers.barrier(2, () -> present.get().close());
            boolean[] running = {true};
            workers.start("remover", () -> {
                while (running[0]) {
                    workers.awaitBarrier(barrier, "the opener");
                    remove(present.get());
                    running[0] = workers.isRunning();
                    workers.awaitBarrier(agreement, "the opener");
                }
            });
            workers.start("opener", () -> {
                while (running[0]) {
                    workers.awaitBarrier(barrier, "the remover");
                    openWhileRemoved(workers);
                    workers.awaitBarrier(agreement, "the remover");
                }
            });
            workers.join();
        }
    }

    private static void openWhileRemoved(WorkerThreads workers) {
        try (RdmaContext context = Verbs.open(SELECTOR)) {
            if (isRemoved(context)) {
                awaitFatalEvent(context, workers);
            }
        } catch (VerbsException e) {
            assertEquals(Errno.EIO, e.error(), "an open after the removal");
        }
    }

    private static boolean isRemoved(RdmaContext context) {
        try {
            context.queryDevice();
            return false;
        } catch (VerbsException e) {
            return true;
        }
    }

    /** Writes to a peer on the device that is removed. Every request it posts completes once, in order. */
    private static final class Writer {
        final QueuePair qp;
        WcStatus failure = WcStatus.SUCCESS;
        private final WorkerThreads workers;
        private final CompletionQueue cq;
        private final SendWorkRequest request;
        private final WorkCompletions done = WorkCompletions.create(8);
        private long posted;
        private long completed;

        Writer(Node node, Node target, WorkerThreads workers) {
            this.workers = workers;
            cq = node.cq(256);
            qp = node.queuePair(QpType.RC, cq, cq);
            CompletionQueue theirs = target.cq(64);
            Node.connect(qp, target.queuePair(QpType.RC, theirs, theirs));
            MemoryRegion memory = target.region(BYTES);
            MemoryRegion own = node.region(BYTES);
            request = SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE).sge(own, 0, BYTES)
                    .remote(memory.address(), memory.rkey());
        }

        void writeUntilItFails() {
            boolean refused = false;
            while (!refused && failure == WcStatus.SUCCESS) {
                int errno = qp.tryPostSend(request.wrId(posted));
                refused = errno == Errno.EIO.code();
                posted += errno == 0 ? 1 : 0;
                assertTrue(errno == 0 || refused || errno == Errno.ENOMEM.code(), "post returned errno " + errno);
                poll();
            }
            workers.await("all posted requests to complete", () -> {
                poll();
                return completed == posted;
            });
        }

        private void poll() {
            int count = cq.poll(done);
            for (int i = 0; i < count; i++) {
                assertEquals(completed++, done.wrId(i), "requests complete once and in order");
                if (failure == WcStatus.SUCCESS) {
                    failure = done.status(i);
                } else {
                    assertEquals(WcStatus.WR_FLUSH_ERR, done.status(i));
                }
            }
        }
    }

    /** Creates and connects queue pairs with posted receives, so that the removal hits some between two states. */
    private static final class Connector {
        private final Node node;
        private final CompletionQueue cq;
        private final int[] posted = new int[MAX_PAIRS];
        private final int[] completed = new int[MAX_PAIRS];
        private int pairs;

        Connector(Node node) {
            this.node = node;
            cq = node.cq(RECEIVES * MAX_PAIRS);
        }

        void connectUntilItFails() {
            ReceiveWorkRequest receive = ReceiveWorkRequest.create(0);
            try {
                while (pairs < MAX_PAIRS) {
                    int number = pairs++;
                    QueuePair qp = node.queuePair(QpType.RC, cq, cq);
                    Node.toInit(qp);
                    for (int i = 0; i < RECEIVES; i++) {
                        qp.postReceive(receive.wrId(number));
                        posted[number]++;
                    }
                    Node.toReady(qp, qp);
                }
            } catch (VerbsException e) {
                // EINVAL: the removal moved the queue pair to ERR between two steps, and ERR to RTR is no transition
                assertTrue(e.error() == Errno.EIO || e.error() == Errno.EINVAL, () -> "unexpected " + e);
            }
        }

        void check(WorkerThreads workers) {
            WorkCompletions done = WorkCompletions.create(64);
            for (int number = 0; number < pairs; number++) {
                int awaited = number;
                workers.await("the receives of queue pair " + number + " of " + pairs + " to flush", () -> {
                    int count = cq.poll(done);
                    for (int i = 0; i < count; i++) {
                        assertEquals(WcStatus.WR_FLUSH_ERR, done.status(i));
                        completed[(int) done.wrId(i)]++;
                    }
                    return completed[awaited] >= posted[awaited];
                });
            }
            assertEquals(0, cq.poll(done), "no receive is flushed twice");
            for (int number = 0; number < pairs; number++) {
                assertEquals(posted[number], completed[number], "each receive is flushed once");
            }
        }
    }
}
