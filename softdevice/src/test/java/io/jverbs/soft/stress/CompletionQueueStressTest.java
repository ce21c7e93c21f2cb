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

/** One completion queue, several producers, several pollers: each completion is seen once. */
final class CompletionQueueStressTest {
    private static final int PRODUCERS = 2;
    private static final int POLLERS = 2;
    private static final int WINDOW = 6;
    private static final int CAPACITY = 16;
    private static final int SEEN = 1 << 12;

    @Test
    void concurrentPollersSeeEachCompletionOnce() {
        try (Node node = Node.open(); Team team = new Team()) {
            Bench bench = new Bench(node, team);
            bench.start();
            team.join();
            bench.check();
        }
    }

    @Test
    void resizingTheQueueUnderTrafficLosesNothing() {
        try (Node node = Node.open(); Team team = new Team()) {
            Bench bench = new Bench(node, team);
            bench.start();
            team.member("resizer", () -> {
                for (int i = 0; team.goesOn(); i++) {
                    bench.cq.resize(CAPACITY << i % 3);
                }
            });
            team.join();
            bench.check();
        }
    }

    /** Producers that write to themselves with at most WINDOW requests outstanding each, and pollers of them all. */
    private static final class Bench {
        final CompletionQueue cq;
        private final Node node;
        private final Team team;
        private final AtomicLong[] posted = new AtomicLong[PRODUCERS];
        private final AtomicLong[] polled = new AtomicLong[PRODUCERS];
        private final AtomicIntegerArray[] inFlight = new AtomicIntegerArray[PRODUCERS];

        Bench(Node node, Team team) {
            this.node = node;
            this.team = team;
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
                team.member("producer " + i, () -> produce(number, qp, memory));
            }
            for (int i = 0; i < POLLERS; i++) {
                int batch = 1 + 3 * i;
                team.member("poller " + i, () -> poll(batch));
            }
        }

        /** Producers that may still post; pollers stay until the last is done. */
        private final AtomicLong producing = new AtomicLong(PRODUCERS);

        private void produce(int number, QueuePair qp, MemoryRegion memory) {
            try {
                produceWhileTheTeamGoesOn(number, qp, memory);
            } finally {
                producing.decrementAndGet();
            }
        }

        private void produceWhileTheTeamGoesOn(int number, QueuePair qp, MemoryRegion memory) {
            SendWorkRequest request = SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE).sge(memory, 0, 8)
                    .remote(memory.address(), memory.rkey());
            // until the ring has gone round, even if others had the processors all the time
            for (long sequence = 0; team.goesOn() || sequence <= CAPACITY; sequence++) {
                long next = sequence;
                team.await("completions to be polled", () -> next - polled[number].get() < WINDOW);
                // a poller that lost its core may hold on to a completion while the others get once round
                team.await("the number to be free again", () -> inFlight[number].get((int) next % SEEN) == 0);
                inFlight[number].set((int) next % SEEN, 1);
                qp.postSend(request.wrId((long) number << 32 | sequence));
                posted[number].incrementAndGet();
            }
        }

        private void poll(int batch) {
            WorkCompletions done = WorkCompletions.create(batch);
            while (team.goesOn()) {
                take(done);
            }
            team.await("all completions", () -> {
                take(done);
                return drained();
            });
        }

        private void take(WorkCompletions done) {
            int count = cq.poll(done);
            for (int i = 0; i < count; i++) {
                assertEquals(WcStatus.SUCCESS, done.status(i));
                int number = (int) (done.wrId(i) >>> 32);
                assertEquals(1, inFlight[number].getAndSet((int) done.wrId(i) % SEEN, 0), "it is seen once");
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
            assertEquals(0, cq.poll(WorkCompletions.create(1)), "nothing completes twice");
        }
    }
}
