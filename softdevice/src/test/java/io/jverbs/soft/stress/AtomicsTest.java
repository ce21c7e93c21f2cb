package io.jverbs.soft.stress;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.CompletionQueue;
import io.jverbs.MemoryRegion;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import java.lang.invoke.VarHandle;
import java.util.BitSet;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;

/** Remote atomics of several queue pairs and devices, and atomics of the CPU, on the same word. */
final class AtomicsTest {
    private static final VarHandle WORD = JAVA_LONG.varHandle();
    private static final int BATCH = 2000;

    @Test
    void concurrentFetchAndAddOfQueuePairsDevicesAndCpuReturnEachOldValueOnceAndSumExactly() {
        try (Node target = Node.open();
                Node other = Node.open("soft:soft1");
                WorkerThreads workers = new WorkerThreads()) {
            Round round = new Round(workers, target, other);
            workers.require("three rounds", () -> round.number > 2);
            for (Adder adder : round.adders) {
                workers.start("adder on " + adder.qp.context().device(), () -> {
                    while (round.next()) {
                        adder.addBatch(workers);
                    }
                });
            }
            workers.start("CPU", () -> {
                while (round.next()) {
                    round.addByCpu();
                }
            });
            workers.join();
        }
    }

    /** Rounds of concurrent additions. Results are checked between rounds, while all threads wait at the barrier. */
    private static final class Round {
        final Adder[] adders;
        int number;
        private final WorkerThreads workers;
        private final MemoryRegion counter;
        private final long[] byCpu = new long[BATCH];
        private final CyclicBarrier barrier;
        private boolean running;

        Round(WorkerThreads workers, Node target, Node other) {
            this.workers = workers;
            counter = target.region(Long.BYTES);
            adders = new Adder[] {new Adder(target, target, counter), new Adder(target, target, counter),
                new Adder(other, target, counter)};
            barrier = workers.barrier(adders.length + 1, () -> {
                running = false;
                check();
                running = workers.isRunning();
                number++;
            });
        }

        boolean next() {
            workers.awaitBarrier(barrier, "the round to end");
            return running;
        }

        void addByCpu() {
            for (int i = 0; i < BATCH; i++) {
                byCpu[i] = (long) WORD.getAndAdd(counter.segment(), 0L, 1L);
            }
        }

        private void check() {
            int additions = BATCH * (adders.length + 1);
            assertEquals((long) number * additions, counter.segment().get(JAVA_LONG, 0), "the sum");
            if (number > 0) {
                BitSet seen = new BitSet();
                long start = (long) (number - 1) * additions;
                for (Adder adder : adders) {
                    mark(seen, adder.oldValues, start);
                }
                mark(seen, byCpu, start);
                assertEquals(additions, seen.cardinality());
            }
        }
    }

    private static void mark(BitSet seen, long[] oldValues, long start) {
        for (long value : oldValues) {
            int step = (int) (value - start);
            assertTrue(step >= 0 && !seen.get(step),
                    "old value " + value + " was returned more than once or is out of range");
            seen.set(step);
        }
    }

    /** A queue pair that adds 1 repeatedly and keeps the old values that are returned. */
    private static final class Adder {
        final long[] oldValues = new long[BATCH];
        final QueuePair qp;
        private final CompletionQueue cq;
        private final MemoryRegion result;
        private final SendWorkRequest request;
        private final WorkCompletions done = WorkCompletions.create(1);

        Adder(Node node, Node target, MemoryRegion counter) {
            cq = node.cq(8);
            qp = node.queuePair(QpType.RC, cq, cq);
            CompletionQueue theirs = target.cq(8);
            Node.connect(qp, target.queuePair(QpType.RC, theirs, theirs));
            result = node.region(Long.BYTES);
            request = SendWorkRequest.create(1).sge(result, 0, Long.BYTES)
                    .fetchAndAdd(counter.address(), counter.rkey(), 1);
        }

        void addBatch(WorkerThreads workers) {
            for (int i = 0; i < BATCH; i++) {
                qp.postSend(request);
                workers.await("the addition", () -> cq.poll(done) == 1);
                assertEquals(WcStatus.SUCCESS, done.status(0));
                oldValues[i] = result.segment().get(JAVA_LONG, 0);
            }
        }
    }
}
