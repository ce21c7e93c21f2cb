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

/** Many queue pairs share a completion queue and a shared receive queue; four threads post and poll. */
final class SharedQueuesTest {
    private static final int THREADS = 4;
    private static final int CONNECTIONS_PER_THREAD = 4;
    private static final int RECEIVES = 64;
    private static final int WINDOW = 8;
    private static final int WORDS = 8;
    private static final int MESSAGE = WORDS * Long.BYTES;
    private static final int ERROR_ONE_IN = 300;
    private static final int WRONG_KEY = 0x00BAD000;
    private static final long RECEIVE = 1L << 62;
    private static final long PROBE = 1L << 61;

    @Test
    void queuePairsSharingCqAndSrqCompleteEachRequestOnceWithFourThreads() {
        try (Node node = Node.open(); WorkerThreads workers = new WorkerThreads()) {
            SharedObjects shared = new SharedObjects(node);
            workers.require("an error under traffic", () -> shared.errors.get() > 0);
            AtomicInteger working = new AtomicInteger(THREADS);
            for (int thread = 0; thread < THREADS; thread++) {
                int first = thread * CONNECTIONS_PER_THREAD;
                workers.start("worker " + thread, () -> new Worker(shared, workers, first).run(working));
            }
            workers.join();
            shared.check();
        }
    }

    /** The objects that all threads share. */
    private static final class SharedObjects {
        final Node node;
        final CompletionQueue cq;
        final SharedReceiveQueue srq;
        final MemoryRegion inbox;
        final AtomicIntegerArray posted = new AtomicIntegerArray(RECEIVES);
        final Connection[] connections = new Connection[THREADS * CONNECTIONS_PER_THREAD];
        final AtomicInteger errors = new AtomicInteger();

        SharedObjects(Node node) {
            this.node = node;
            cq = node.cq(4096);
            srq = node.pd.createSharedReceiveQueue(SrqInitAttributes.of(RECEIVES, 1));
            inbox = node.region((long) RECEIVES * MESSAGE);
            for (int i = 0; i < connections.length; i++) {
                connections[i] = new Connection(this, i);
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
            assertEquals(0, cq.poll(WorkCompletions.create(1)), "no request completes twice");
            for (int slot = 0; slot < RECEIVES; slot++) {
                assertEquals(1, posted.get(slot), "each receive completed and was posted again");
            }
            for (Connection connection : connections) {
                assertEquals(connection.sent.get(), connection.received.get(), "each acknowledged message arrived");
                assertEquals(connection.sentSum.get(), connection.receivedSum.get(), "each message arrived once");
            }
        }
    }

    /** Two connected queue pairs. One thread posts; all threads poll their completions. */
    private static final class Connection {
        final QueuePair left;
        final QueuePair right;
        final MemoryRegion outbox;
        final AtomicInteger outstanding = new AtomicInteger();
        final AtomicLong sent = new AtomicLong();
        final AtomicLong sentSum = new AtomicLong();
        final AtomicLong received = new AtomicLong();
        final AtomicLong receivedSum = new AtomicLong();
        long sequence;

        Connection(SharedObjects shared, int number) {
            left = shared.node.queuePair(QpType.RC, shared.cq, shared.cq);
            right = shared.node.queuePair(QpType.RC, shared.cq, shared.cq, shared.srq);
            outbox = shared.node.region((long) WINDOW * MESSAGE);
            sequence = (long) number << 32;
            Node.connect(left, right);
        }
    }

    /** A thread that posts to its own connections and polls the shared completion queue. */
    private static final class Worker {
        private final SharedObjects shared;
        private final WorkerThreads workers;
        private final int first;
        private final SplittableRandom random;
        private final SendWorkRequest request = SendWorkRequest.create(1);
        private final ReceiveWorkRequest receive = ReceiveWorkRequest.create(1);
        private final WorkCompletions done = WorkCompletions.create(16);

        Worker(SharedObjects shared, WorkerThreads workers, int first) {
            this.shared = shared;
            this.workers = workers;
            this.first = first;
            this.random = new SplittableRandom(first);
        }

        void run(AtomicInteger working) {
            while (workers.isRunning()) {
                Connection connection = shared.connections[first + random.nextInt(CONNECTIONS_PER_THREAD)];
                if (random.nextInt(ERROR_ONE_IN) == 0) {
                    failAndReconnect(connection);
                } else if (connection.outstanding.get() < WINDOW) {
                    send(connection);
                }
                poll();
            }
            for (int i = first; i < first + CONNECTIONS_PER_THREAD; i++) {
                drain(shared.connections[i]);
            }
            working.decrementAndGet();
            workers.await("the others to finish", () -> {
                poll();
                return working.get() == 0;
            });
        }

        private void send(Connection connection) {
            long sequence = connection.sequence++;
            long offset = sequence % WINDOW * MESSAGE;
            MemorySegment memory = connection.outbox.segment();
            for (int word = 0; word < WORDS; word++) {
                memory.set(JAVA_LONG, offset + word * Long.BYTES, sequence + word);
            }
            connection.outstanding.incrementAndGet();
            connection.left
                    .postSend(request.wrId(sequence).opcode(WrOpcode.SEND).sge(connection.outbox, offset, MESSAGE));
        }

        /** Posts a request with a wrong rkey, so that both ends fail with requests outstanding, and reconnects them. */
        private void failAndReconnect(Connection connection) {
            shared.errors.incrementAndGet();
            connection.outstanding.incrementAndGet();
            connection.left.postSend(request.wrId(PROBE | connection.sequence).opcode(WrOpcode.RDMA_WRITE)
                    .remote(connection.outbox.address(), WRONG_KEY).sge(connection.outbox, 0, MESSAGE));
            drain(connection);
            Node.reset(connection.left);
            Node.reset(connection.right);
            Node.connect(connection.left, connection.right);
        }

        private void drain(Connection connection) {
            workers.await("the requests of " + connection.left + " to complete", () -> {
                poll();
                return connection.outstanding.get() == 0;
            });
        }

        private void poll() {
            int count = shared.cq.poll(done);
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
            assertEquals(1, shared.posted.getAndSet(slot, 0), "a receive completes once");
            if (success) {
                long offset = (long) slot * MESSAGE;
                MemorySegment memory = shared.inbox.segment();
                long sequence = memory.get(JAVA_LONG, offset);
                for (int word = 1; word < WORDS; word++) {
                    assertEquals(sequence + word, memory.get(JAVA_LONG, offset + word * Long.BYTES), "payload");
                }
                Connection connection = shared.connections[(int) (sequence >>> 32)];
                connection.received.incrementAndGet();
                connection.receivedSum.addAndGet(sequence);
            }
            shared.postReceive(receive, slot);
        }

        private void sent(long id, boolean success) {
            Connection connection = shared.connections[(int) ((id & ~PROBE) >>> 32)];
            if (success) {
                assertEquals(0, id & PROBE, "a request with a wrong key fails");
                connection.sent.incrementAndGet();
                connection.sentSum.addAndGet(id);
            }
            connection.outstanding.decrementAndGet();
        }
    }
}
