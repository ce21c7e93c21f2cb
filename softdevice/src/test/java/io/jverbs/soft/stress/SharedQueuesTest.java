package io.jverbs.soft.stress;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.CompletionQueue;
import io.jverbs.MemoryRegion;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendWorkRequest;
import io.jverbs.SharedReceiveQueue;
import io.jverbs.SrqInitAttributes;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Many queue pairs on one completion queue and one shared receive queue, posted to and polled by four threads. */
final class SharedQueuesTest {
    private static final int THREADS = 4;
    private static final int PAIRS_A_THREAD = 4;
    private static final int RECEIVES = 64;
    private static final int WINDOW = 8;
    private static final int WORDS = 8;
    private static final int MESSAGE = WORDS * Long.BYTES;
    private static final int ERROR_ONE_IN = 300;
    private static final int WRONG_KEY = 0x00BAD000;
    private static final long RECEIVE = 1L << 62;
    private static final long PROBE = 1L << 61;

    @Test
    void manyQueuePairsShareOneCompletionQueueAndOneSharedReceiveQueueFromFourThreads() {
        try (Node node = Node.open(); Team team = new Team()) {
            Hub hub = new Hub(node);
            team.until("errors happen among the traffic", () -> hub.errors.get() > 0);
            AtomicInteger working = new AtomicInteger(THREADS);
            for (int thread = 0; thread < THREADS; thread++) {
                int first = thread * PAIRS_A_THREAD;
                team.member("worker " + thread, () -> new Worker(hub, team, first).run(working));
            }
            team.join();
            hub.check();
        }
    }

    /** What all threads share. */
    private static final class Hub {
        final Node node;
        final CompletionQueue cq;
        final SharedReceiveQueue srq;
        final MemoryRegion inbox;
        final AtomicIntegerArray posted = new AtomicIntegerArray(RECEIVES);
        final Lane[] lanes = new Lane[THREADS * PAIRS_A_THREAD];
        final AtomicInteger errors = new AtomicInteger();

        Hub(Node node) {
            this.node = node;
            cq = node.cq(4096);
            srq = node.pd.createSharedReceiveQueue(SrqInitAttributes.of(RECEIVES, 1));
            inbox = node.region((long) RECEIVES * MESSAGE);
            for (int i = 0; i < lanes.length; i++) {
                lanes[i] = new Lane(this, i);
            }
            ReceiveWorkRequest receive = ReceiveWorkRequest.create(1);
            for (int slot = 0; slot < RECEIVES; slot++) {
                postReceive(receive, slot);
            }
        }

        void postReceive(ReceiveWorkRequest receive, int slot) {
            assertEquals(0, posted.getAndSet(slot, 1), "a receive completes before it is posted again");
            srq.postReceive(receive.wrId(RECEIVE | slot).sge(inbox, (long) slot * MESSAGE, MESSAGE));
        }

        void check() {
            assertEquals(0, cq.poll(WorkCompletions.create(1)), "nothing completes twice");
            for (int slot = 0; slot < RECEIVES; slot++) {
                assertEquals(1, posted.get(slot), "every receive came back and was posted again");
            }
            for (Lane lane : lanes) {
                assertEquals(lane.sent.get(), lane.received.get(), "what was acknowledged arrived");
                assertEquals(lane.sentSum.get(), lane.receivedSum.get(), "each message arrived once");
            }
        }
    }

    /** A pair of queue pairs; one thread posts, all threads count. */
    private static final class Lane {
        final QueuePair left;
        final QueuePair right;
        final MemoryRegion outbox;
        final AtomicInteger outstanding = new AtomicInteger();
        final AtomicLong sent = new AtomicLong();
        final AtomicLong sentSum = new AtomicLong();
        final AtomicLong received = new AtomicLong();
        final AtomicLong receivedSum = new AtomicLong();
        long sequence;

        Lane(Hub hub, int number) {
            left = hub.node.queuePair(QpType.RC, hub.cq, hub.cq);
            right = hub.node.queuePair(QpType.RC, hub.cq, hub.cq, hub.srq);
            outbox = hub.node.region((long) WINDOW * MESSAGE);
            sequence = (long) number << 32;
            Node.connect(left, right);
        }
    }

    /** A thread: posts to its own pairs, polls for everybody. */
    private static final class Worker {
        private final Hub hub;
        private final Team team;
        private final int first;
        private final SplittableRandom random;
        private final SendWorkRequest request = SendWorkRequest.create(1);
        private final ReceiveWorkRequest receive = ReceiveWorkRequest.create(1);
        private final WorkCompletions done = WorkCompletions.create(16);

        Worker(Hub hub, Team team, int first) {
            this.hub = hub;
            this.team = team;
            this.first = first;
            this.random = new SplittableRandom(first);
        }

        void run(AtomicInteger working) {
            while (team.goesOn()) {
                Lane lane = hub.lanes[first + random.nextInt(PAIRS_A_THREAD)];
                if (random.nextInt(ERROR_ONE_IN) == 0) {
                    breakAndMend(lane);
                } else if (lane.outstanding.get() < WINDOW) {
                    send(lane);
                }
                poll();
            }
            for (int i = first; i < first + PAIRS_A_THREAD; i++) {
                settle(hub.lanes[i]);
            }
            working.decrementAndGet();
            team.await("the others to finish", () -> {
                poll();
                return working.get() == 0;
            });
        }

        private void send(Lane lane) {
            long sequence = lane.sequence++;
            long offset = sequence % WINDOW * MESSAGE;
            MemorySegment memory = lane.outbox.segment();
            for (int word = 0; word < WORDS; word++) {
                memory.set(JAVA_LONG, offset + word * Long.BYTES, sequence + word);
            }
            lane.outstanding.incrementAndGet();
            lane.left.postSend(request.wrId(sequence).opcode(WrOpcode.SEND).sge(lane.outbox, offset, MESSAGE));
        }

        /** Sends what the peer refuses, so that both ends fail with requests under way, and connects them anew. */
        private void breakAndMend(Lane lane) {
            hub.errors.incrementAndGet();
            lane.outstanding.incrementAndGet();
            lane.left.postSend(request.wrId(PROBE | lane.sequence).opcode(WrOpcode.RDMA_WRITE)
                    .remote(lane.outbox.address(), WRONG_KEY).sge(lane.outbox, 0, MESSAGE));
            settle(lane);
            Node.reset(lane.left);
            Node.reset(lane.right);
            Node.connect(lane.left, lane.right);
        }

        private void settle(Lane lane) {
            team.await("the requests of " + lane.left + " to complete", () -> {
                poll();
                return lane.outstanding.get() == 0;
            });
        }

        private void poll() {
            int count = hub.cq.poll(done);
            for (int i = 0; i < count; i++) {
                long id = done.wrId(i);
                if ((id & RECEIVE) != 0) {
                    received((int) id, done.isSuccess(i));
                } else {
                    sent(id, done.isSuccess(i));
                }
            }
        }

        private void received(int slot, boolean success) {
            assertEquals(1, hub.posted.getAndSet(slot, 0), "a receive completes once");
            if (success) {
                long offset = (long) slot * MESSAGE;
                MemorySegment memory = hub.inbox.segment();
                long sequence = memory.get(JAVA_LONG, offset);
                for (int word = 1; word < WORDS; word++) {
                    assertEquals(sequence + word, memory.get(JAVA_LONG, offset + word * Long.BYTES), "payload");
                }
                Lane lane = hub.lanes[(int) (sequence >>> 32)];
                lane.received.incrementAndGet();
                lane.receivedSum.addAndGet(sequence);
            }
            hub.postReceive(receive, slot);
        }

        private void sent(long id, boolean success) {
            Lane lane = hub.lanes[(int) ((id & ~PROBE) >>> 32)];
            if (success) {
                assertEquals(0, id & PROBE, "a request with a wrong key fails");
                lane.sent.incrementAndGet();
                lane.sentSum.addAndGet(id);
            }
            lane.outstanding.decrementAndGet();
        }
    }
}
