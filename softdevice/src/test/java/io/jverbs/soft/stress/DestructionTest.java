package io.jverbs.soft.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.MemoryRegion;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Queue pairs, completion queues and contexts are destroyed while their peer sends. */
final class DestructionTest {
    private static final int BYTES = 256;
    private static final int MAX_HEAD_START = 3000;
    private static final int RECEIVES = 32;
    private static final int BYSTANDERS = 2;

    @Test
    void queuePairDestroyedUnderTrafficReceivesNothingMoreAndPeerTimesOut() {
        try (Node node = Node.open(); WorkerThreads workers = new WorkerThreads()) {
            Peer peer = new Peer(node, workers);
            CompletionQueue cq = node.cq(2 * RECEIVES);
            MemoryRegion target = node.region(BYTES);
            MemorySegment ownerData = Arena.ofAuto().allocate(BYTES).fill((byte) 7);
            run(workers, peer, random -> {
                QueuePair victim = node.queuePair(QpType.RC, cq, cq);
                peer.sendTo(victim, target);
                spin(random);
                victim.close();
                target.segment().copyFrom(ownerData);
                WorkCompletions done = WorkCompletions.create(2 * RECEIVES);
                cq.poll(done);
                peer.awaitFailure();
                assertEquals(0, cq.poll(done), "no completion is added after the queue pair is closed");
                assertEquals(-1, target.segment().mismatch(ownerData),
                        "nothing is written after the queue pair is closed");
            });
            assertEquals(Set.of(WcStatus.RETRY_EXC_ERR), peer.seen);
        }
    }

    @Test
    void completionQueueDestroyedUnderTrafficRaisesNoEventAfterwards() {
        try (Node node = Node.open(); WorkerThreads workers = new WorkerThreads()) {
            Peer peer = new Peer(node, workers);
            CompletionChannel channel = node.context.createCompletionChannel();
            for (int i = 0; i < BYSTANDERS; i++) {
                workers.start("bystander " + i, () -> raiseEvents(node, workers));
            }
            MemoryRegion target = node.region(BYTES);
            run(workers, peer, random -> {
                CompletionQueue cq = node.context.createCompletionQueue(2 * RECEIVES, channel);
                QueuePair victim = node.queuePair(QpType.RC, cq, cq);
                cq.requestNotification(false);
                peer.sendTo(victim, target);
                spin(random);
                cq.requestNotification(false);
                victim.close();
                cq.close();
                peer.awaitFailure();
                assertNull(channel.awaitEvent(Duration.ZERO), "event of a closed completion queue");
            });
        }
    }

    /** Raises events of another completion queue, because the same device thread may raise those of the victim. */
    private static void raiseEvents(Node node, WorkerThreads workers) throws InterruptedException {
        CompletionChannel channel = node.context.createCompletionChannel();
        CompletionQueue cq = node.context.createCompletionQueue(8, channel);
        QueuePair qp = node.queuePair(QpType.RC, cq, cq);
        MemoryRegion memory = node.region(BYTES);
        Node.connect(qp, qp);
        SendWorkRequest write = SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE).sge(memory, 0, BYTES)
                .remote(memory.address(), memory.rkey());
        WorkCompletions done = WorkCompletions.create(1);
        while (workers.isRunning()) {
            cq.requestNotification(false);
            qp.postSend(write);
            if (channel.awaitEvent(WorkerThreads.TIMEOUT) == null) {
                throw workers.timeout("the completion event of a WRITE");
            }
            cq.acknowledgeEvents(1);
            assertEquals(1, cq.poll(done));
        }
    }

    @Test
    void contextClosedUnderTrafficClosesItsObjectsAndPeerFails() {
        try (Node node = Node.open(); WorkerThreads workers = new WorkerThreads()) {
            Peer peer = new Peer(node, workers);
            run(workers, peer, random -> {
                Node victim = Node.open();
                CompletionQueue cq = victim.context.createCompletionQueue(2 * RECEIVES,
                        victim.context.createCompletionChannel());
                cq.requestNotification(false);
                peer.sendTo(victim.queuePair(QpType.RC, cq, cq), victim.region(BYTES));
                spin(random);
                victim.close();
                peer.awaitFailure();
            });
        }
    }

    /** What the owner of the victim does in each round. */
    private interface Round {
        void run(SplittableRandom random) throws Exception;
    }

    private static void run(WorkerThreads workers, Peer peer, Round round) {
        workers.require("two objects to be destroyed under traffic", () -> peer.failures > 1);
        workers.start("peer", peer::run);
        workers.start("owner", () -> {
            SplittableRandom random = new SplittableRandom(3);
            while (workers.isRunning()) {
                round.run(random);
            }
            peer.end();
        });
        workers.join();
    }

    private static void spin(SplittableRandom random) {
        for (int i = random.nextInt(MAX_HEAD_START); i > 0; i--) {
            Thread.onSpinWait();
        }
    }

    /** Sends and writes to one victim after the other, to each until its requests fail. */
    private static final class Peer {
        final Set<WcStatus> seen = EnumSet.noneOf(WcStatus.class);
        int failures;
        private final WorkerThreads workers;
        private final CompletionQueue cq;
        private final QueuePair qp;
        private final MemoryRegion source;
        private final SendWorkRequest write = SendWorkRequest.create(1);
        private final SendWorkRequest send = SendWorkRequest.create(1);
        private final WorkCompletions done = WorkCompletions.create(2);
        private volatile boolean busy;
        private volatile boolean ended;

        Peer(Node node, WorkerThreads workers) {
            this.workers = workers;
            cq = node.cq(8);
            qp = node.queuePair(QpType.RC, cq, cq);
            source = node.region(BYTES);
            send.opcode(WrOpcode.SEND).sge(source, 0, BYTES);
            write.opcode(WrOpcode.RDMA_WRITE).sge(source, 0, BYTES).next(send);
        }

        /** Connects to the victim, posts receives at the victim into the target, and starts the traffic. */
        void sendTo(QueuePair victim, MemoryRegion target) {
            assertNotSame(qp, victim);
            Node.connect(qp, victim);
            ReceiveWorkRequest receive = ReceiveWorkRequest.create(1).sge(target, 0, BYTES);
            for (int i = 0; i < RECEIVES; i++) {
                victim.postReceive(receive);
            }
            write.remote(target.address(), target.rkey());
            busy = true;
        }

        void awaitFailure() {
            workers.await("the peer's requests to fail", () -> !busy);
        }

        void end() {
            ended = true;
        }

        void run() {
            while (!ended) {
                workers.await("a victim", () -> busy || ended);
                if (busy) {
                    sendUntilItFails();
                    busy = false;
                }
            }
        }

        private void sendUntilItFails() {
            WcStatus status = WcStatus.SUCCESS;
            while (status == WcStatus.SUCCESS) {
                qp.postSend(write);
                status = next();
                WcStatus second = next();
                if (status == WcStatus.SUCCESS) {
                    status = second;
                } else {
                    assertEquals(WcStatus.WR_FLUSH_ERR, second, "requests after an error are flushed");
                }
            }
            seen.add(status);
            failures++;
            Node.reset(qp);
        }

        private WcStatus next() {
            workers.await("a completion", () -> cq.poll(done, 1) == 1);
            return done.status(0);
        }
    }
}
