package io.jverbs.soft.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.CompletionQueue;
import io.jverbs.MemoryRegion;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** One completion queue with several producers and several pollers: each completion is polled once. */
final class CompletionQueueStressTest {
    private static final int PRODUCERS = 2;
    private static final int POLLERS = 2;
    private static final int WINDOW = 6;
    private static final int CAPACITY = 16;
    private static final int SEEN = 1 << 12;

    @Test
    void concurrentPollersPollEachCompletionOnce() {
        try (Node node = Node.open(); WorkerThreads workers = new WorkerThreads()) {
            Harness harness = new Harness(node, workers);
            harness.start();
            workers.join();
            harness.check();
        }
    }

    @Test
    void resizeUnderTrafficLosesNoCompletion() {
        try (Node node = Node.open(); WorkerThreads workers = new WorkerThreads()) {
            Harness harness = new Harness(node, workers);
            harness.start();
            workers.start("resizer", () -> {
                for (int i = 0; workers.isRunning(); i++) {
                    harness.cq.resize(CAPACITY << i % 3);
                }
            });
            workers.join();
            harness.check();
        }
    }

    /** Producers, each with a queue pair connected to itself and at most WINDOW requests outstanding, and pollers. */
    private static final class Harness {
        final CompletionQueue cq;
        private final Node node;
        private final WorkerThreads workers;
        private final AtomicLong[] posted = new AtomicLong[PRODUCERS];
        private final AtomicLong[] polled = new AtomicLong[PRODUCERS];
        private final AtomicIntegerArray[] inFlight = new AtomicIntegerArray[PRODUCERS];

        Harness(Node node, WorkerThreads workers) {
            this.node = node;
            this.workers = workers;
            this.cq = node.cq(CAPACITY);
        }

        void start() {
            for (int i = 0; i < PRODUCERS; i++) {
                posted[i] = new AtomicLong();
                polled[i] = new AtomicLong();
                inFlight[i] = new AtomicIntegerArray(SEEN);
                int number = i;
                QueuePair qp = node.queuePair(QpType.RC, cq, cq);
                MemoryRegion memory = node.region(64);
                Node.connect(qp, qp);
                workers.start("producer " + i, () -> produce(number, qp, memory));
            }
            for (int i = 0; i < POLLERS; i++) {
                int batch = 1 + 3 * i;
                workers.start("poller " + i, () -> poll(batch));
            }
        }

        /** The number of producers that may still post; pollers run until it is 0. */
        private final AtomicLong producing = new AtomicLong(PRODUCERS);

        private void produce(int number, QueuePair qp, MemoryRegion memory) {
            try {
                produceWhileRunning(number, qp, memory);
            } finally {
                producing.decrementAndGet();
            }
        }

        private void produceWhileRunning(int number, QueuePair qp, MemoryRegion memory) {
            SendWorkRequest request = SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE).sge(memory, 0, 8)
                    .remote(memory.address(), memory.rkey());
            // until the ring wraps around at least, even if this thread got little CPU time
            for (long sequence = 0; workers.isRunning() || sequence <= CAPACITY; sequence++) {
                long next = sequence;
                workers.await("completions to be polled", () -> next - polled[number].get() < WINDOW);
                // a preempted poller may hold a completion while the other pollers wrap around the array
                workers.await("the number to be free", () -> inFlight[number].get((int) next % SEEN) == 0);
                inFlight[number].set((int) next % SEEN, 1);
                qp.postSend(request.wrId((long) number << 32 | sequence));
                posted[number].incrementAndGet();
            }
        }

        private void poll(int batch) {
            WorkCompletions done = WorkCompletions.create(batch);
            while (workers.isRunning()) {
                pollOnce(done);
            }
            workers.await("all completions", () -> {
                pollOnce(done);
                return drained();
            });
        }

        private void pollOnce(WorkCompletions done) {
            int count = cq.poll(done);
            for (int i = 0; i < count; i++) {
                assertEquals(WcStatus.SUCCESS, done.status(i));
                int number = (int) (done.wrId(i) >>> 32);
                assertEquals(1, inFlight[number].getAndSet((int) done.wrId(i) % SEEN, 0),
                        "each completion is polled once");
                polled[number].incrementAndGet();
            }
        }

        private boolean drained() {
            if (producing.get() != 0) {
                return false;
            }
            for (int i = 0; i < PRODUCERS; i++) {
                if (polled[i].get() != posted[i].get()) {
                    return false;
                }
            }
            return true;
        }

        void check() {
            for (int i = 0; i < PRODUCERS; i++) {
                assertEquals(posted[i].get(), polled[i].get(), "every request completed");
            }
            assertEquals(0, cq.poll(WorkCompletions.create(1)), "no request completes twice");
        }
    }
}
