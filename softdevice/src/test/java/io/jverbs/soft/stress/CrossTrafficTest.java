package io.jverbs.soft.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.CompletionQueue;
import io.jverbs.MemoryRegion;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Two sides send requests to each other at once, and errors of both cross. Every request completes once and in order.
 */
final class CrossTrafficTest {
    private static final int REQUESTS = 32;
    private static final int BYTES = 512;
    private static final int ONE_IN = 60;
    private static final int WRONG_KEY = 0x00BAD000;
    private static final WrOpcode[] OPCODES = {WrOpcode.SEND, WrOpcode.RDMA_WRITE, WrOpcode.RDMA_READ,
        WrOpcode.ATOMIC_FETCH_AND_ADD, WrOpcode.RDMA_WRITE_WITH_IMM};

    @Test
    void twoQueuePairsSendingToEachOtherWithCrossingErrorsDoNotDeadlock() {
        try (Node node = Node.open(); WorkerThreads workers = new WorkerThreads()) {
            End left = new End(node, workers, 1);
            End right = new End(node, workers, 2);
            left.peer = right;
            right.peer = left;
            AtomicInteger errors = new AtomicInteger();
            workers.require("an error to occur", () -> errors.get() > 0);
            CyclicBarrier barrier = new CyclicBarrier(2);
            for (End end : new End[] {left, right}) {
                workers.start(end == left ? "left" : "right", () -> {
                    boolean running = true;
                    while (running) {
                        if (end == left) {
                            Node.connect(left.qp, right.qp);
                        }
                        workers.awaitBarrier(barrier, "both ends to be connected");
                        end.exchange();
                        workers.awaitBarrier(barrier, "both ends to have their completions");
                        errors.addAndGet(end.failures);
                        Node.toError(end.qp);
                        end.drainReceives();
                        Node.reset(end.qp);
                        end.continues = workers.isRunning();
                        workers.awaitBarrier(barrier, "both ends to be reset");
                        running = left.continues && right.continues;
                        workers.awaitBarrier(barrier, "both ends to decide on the next round");
                    }
                });
            }
            workers.join();
        }
    }

    /** One side: a queue pair with its queues and memory, used by one thread. */
    private static final class End {
        final QueuePair qp;
        final CompletionQueue sends;
        final CompletionQueue receives;
        final MemoryRegion memory;
        final SendWorkRequest request = SendWorkRequest.create(1);
        final ReceiveWorkRequest receive = ReceiveWorkRequest.create(1);
        final WorkCompletions done = WorkCompletions.create(16);
        final SplittableRandom random;
        final WorkerThreads workers;
        volatile boolean continues;
        End peer;
        int failures;
        private long sendsPosted;
        private long sendsDone;
        private long receivesPosted;
        private long receivesDone;

        End(Node node, WorkerThreads workers, long seed) {
            sends = node.cq(64);
            receives = node.cq(64);
            qp = node.queuePair(QpType.RC, sends, receives);
            memory = node.region(BYTES);
            random = new SplittableRandom(seed);
            this.workers = workers;
            receive.sge(memory, 0, BYTES);
        }

        /** Posts receives and requests alternately, so that some requests find no receive; waits for all requests. */
        void exchange() {
            failures = 0;
            for (int i = 0; i < REQUESTS; i++) {
                qp.postReceive(receive.wrId(receivesPosted++));
                qp.postSend(next());
                sendsPosted++;
                pollSends();
            }
            workers.await("all requests of " + qp + " to complete", () -> {
                pollSends();
                return sendsDone == sendsPosted;
            });
        }

        private SendWorkRequest next() {
            WrOpcode opcode = OPCODES[random.nextInt(OPCODES.length)];
            int key = random.nextInt(ONE_IN) == 0 ? WRONG_KEY : peer.memory.rkey();
            long address = peer.memory.address();
            request.wrId(sendsPosted);
            if (opcode == WrOpcode.ATOMIC_FETCH_AND_ADD) {
                return request.fetchAndAdd(address, key, 1).sge(memory, 0, Long.BYTES);
            }
            return request.opcode(opcode).remote(address, key).sge(memory, 0, 1 + random.nextInt(BYTES));
        }

        private void pollSends() {
            int count = sends.poll(done);
            for (int i = 0; i < count; i++) {
                assertEquals(sendsDone++, done.wrId(i), "requests complete in order");
                WcStatus status = done.status(i);
                if (failures > 0) {
                    assertEquals(WcStatus.WR_FLUSH_ERR, status, "requests after an error are flushed");
                }
                failures += status == WcStatus.SUCCESS ? 0 : 1;
            }
        }

        /** Waits until every receive has completed, in order. */
        void drainReceives() {
            workers.await("all receives of " + qp + " to complete", () -> {
                int count = receives.poll(done);
                for (int i = 0; i < count; i++) {
                    assertEquals(receivesDone++, done.wrId(i), "receives complete in order");
                }
                return receivesDone == receivesPosted;
            });
            assertEquals(0, receives.poll(done), "each receive completes once");
        }
    }

    @Test
    void queuePairConnectedToItselfCompletesAndFlushesRequestsOfTwoThreads() {
        try (Node node = Node.open(); WorkerThreads workers = new WorkerThreads()) {
            CompletionQueue cq = node.cq(1024);
            QueuePair qp = node.queuePair(QpType.RC, cq, cq);
            MemoryRegion memory = node.region(BYTES);
            Node.connect(qp, qp);
            Loop loop = new Loop(workers, qp, memory);
            loop.postReceives(48);
            workers.require("a message to arrive", () -> loop.delivered > 0);
            for (int poster = 0; poster < 2; poster++) {
                int number = poster;
                workers.start("poster " + poster, () -> loop.post(number));
            }
            workers.start("poller", loop::poll);
            workers.join();
        }
    }

    /** Two posting threads and a polling thread of one queue pair that is its own peer. */
    private static final class Loop {
        private static final long RECEIVE = 1L << 62;
        private static final int POSTER_SHIFT = 48;

        private final WorkerThreads workers;
        private final QueuePair qp;
        private final MemoryRegion memory;
        private final ReceiveWorkRequest receive;
        private final AtomicLong[] posted = {new AtomicLong(), new AtomicLong()};
        private final AtomicInteger posting = new AtomicInteger(2);
        private final long[] completed = new long[2];
        private long receivesPosted;
        private long receivesDone;
        private long delivered;

        Loop(WorkerThreads workers, QueuePair qp, MemoryRegion memory) {
            this.workers = workers;
            this.qp = qp;
            this.memory = memory;
            this.receive = ReceiveWorkRequest.create(1).sge(memory, 0, BYTES);
        }

        void postReceives(int count) {
            for (int i = 0; i < count; i++) {
                qp.postReceive(receive.wrId(RECEIVE | receivesPosted++));
            }
        }

        /** Posts until the time is over. Then one poster causes an error while the other still posts. */
        void post(int poster) {
            SendWorkRequest request = SendWorkRequest.create(1).sge(memory, 0, 64).remote(memory.address(),
                    memory.rkey());
            for (long sequence = 0; workers.isRunning(); sequence++) {
                submit(poster, request.opcode(OPCODES[(int) (sequence % 3)]));
            }
            if (poster == 0) {
                submit(poster, request.opcode(WrOpcode.RDMA_WRITE).remote(memory.address(), WRONG_KEY));
            } else {
                for (int i = 0; i < REQUESTS; i++) {
                    submit(poster, request.opcode(WrOpcode.SEND));
                }
            }
            posting.decrementAndGet();
        }

        private void submit(int poster, SendWorkRequest request) {
            request.wrId((long) poster << POSTER_SHIFT | posted[poster].get());
            posted[poster].incrementAndGet();
            workers.await("room in the send queue", () -> qp.tryPostSend(request) == 0);
        }

        void poll() {
            WorkCompletions done = WorkCompletions.create(32);
            while (posting.get() != 0) {
                pollOnce(done);
            }
            workers.await("all requests to complete", () -> {
                pollOnce(done);
                return completed[0] == posted[0].get() && completed[1] == posted[1].get()
                        && receivesDone == receivesPosted;
            });
        }

        private void pollOnce(WorkCompletions done) {
            int count = qp.sendCq().poll(done);
            for (int i = 0; i < count; i++) {
                long id = done.wrId(i);
                if (id >= RECEIVE) {
                    assertEquals(RECEIVE | receivesDone++, id, "receives complete in order");
                    if (done.isSuccess(i)) {
                        delivered++;
                        postReceives(1);
                    }
                } else {
                    int poster = (int) (id >>> POSTER_SHIFT);
                    assertEquals(completed[poster]++, id & (1L << POSTER_SHIFT) - 1, "requests complete in order");
                }
            }
        }
    }
}
