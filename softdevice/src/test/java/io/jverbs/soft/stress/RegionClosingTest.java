package io.jverbs.soft.stress;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
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
import io.jverbs.soft.protocol.Traffic;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Memory is deregistered or freed under traffic. After close() of a region has returned, no byte of it is written or
 * read. Closing the arena of registered memory causes error completions, never a crash.
 */
final class RegionClosingTest {
    private static final int WORDS = 1024;
    private static final long BYTES = WORDS * Long.BYTES;
    private static final long TRAFFIC = 0x1111_1111_1111_1111L;
    private static final long OWNER = 0x2222_2222_2222_2222L;
    private static final int MAX_HEAD_START = 3000;
    private static final int LARGE = 1 << 20;
    private static final double TIME_SHARE = 0.4;

    /** How the traffic uses the memory, and the status with which requests fail after the memory is gone. */
    enum Use {
        WRITE_TARGET(WrOpcode.RDMA_WRITE, WcStatus.REM_ACCESS_ERR),
        READ_TARGET(WrOpcode.RDMA_READ,
                WcStatus.REM_ACCESS_ERR),
        RECEIVE_BUFFER(WrOpcode.SEND, WcStatus.REM_OP_ERR),
        WRITE_SOURCE(
                WrOpcode.RDMA_WRITE, WcStatus.LOC_PROT_ERR),
        READ_SINK(WrOpcode.RDMA_READ,
                WcStatus.LOC_PROT_ERR);

        private final WrOpcode opcode;
        private final WcStatus failure;

        Use(WrOpcode opcode, WcStatus failure) {
            this.opcode = opcode;
            this.failure = failure;
        }

        boolean isLocal() {
            return this == WRITE_SOURCE || this == READ_SINK;
        }

        /** Whether the traffic writes to the memory, as opposed to reading it. */
        boolean isWritten() {
            return this == WRITE_TARGET || this == RECEIVE_BUFFER || this == READ_SINK;
        }
    }

    @ParameterizedTest
    @EnumSource
    void memoryIsNotAccessedAfterCloseOfRegionReturns(Use use) {
        try (Node node = Node.open(); WorkerThreads workers = new WorkerThreads(TIME_SHARE)) {
            MemorySegment memory = Arena.ofAuto().allocate(BYTES, Long.BYTES);
            Traffic traffic = new Traffic(node, workers, use);
            workers.require("requests to fail on two regions", () -> traffic.failures > 1);
            workers.start("traffic", traffic::run);
            workers.start("owner", () -> {
                SplittableRandom random = new SplittableRandom(1);
                while (workers.isRunning()) {
                    memory.fill((byte) TRAFFIC);
                    MemoryRegion region = node.pd.registerMemory(memory, Node.ALL);
                    traffic.begin(region);
                    spin(random.nextInt(MAX_HEAD_START));
                    region.close();
                    memory.fill((byte) OWNER);
                    traffic.awaitFailure();
                    if (use.isWritten()) {
                        assertAll(memory, OWNER, "memory of a closed region");
                    } else {
                        assertAll(traffic.other.segment(), TRAFFIC, "data read before the region was closed");
                    }
                }
                traffic.end();
            });
            workers.join();
            assertEquals(Set.of(use.failure), traffic.seen);
        }
    }

    @ParameterizedTest
    @EnumSource
    void closingArenaOfRegisteredMemoryCausesErrorCompletionsAndNoCrash(Use use) {
        try (Node node = Node.open(); WorkerThreads workers = new WorkerThreads(TIME_SHARE)) {
            Traffic traffic = new Traffic(node, workers, use);
            workers.require("requests to fail on two regions", () -> traffic.failures > 1);
            workers.start("traffic", traffic::run);
            workers.start("owner", () -> {
                SplittableRandom random = new SplittableRandom(2);
                while (workers.isRunning()) {
                    Arena arena = Arena.ofShared();
                    MemorySegment memory = arena.allocate(BYTES, Long.BYTES);
                    memory.fill((byte) TRAFFIC);
                    MemoryRegion region = node.pd.registerMemory(memory, Node.ALL);
                    traffic.begin(region);
                    spin(random.nextInt(MAX_HEAD_START));
                    arena.close();
                    traffic.awaitFailure();
                    region.close();
                }
                traffic.end();
            });
            workers.join();
            assertEquals(Set.of(use.failure), traffic.seen);
        }
    }

    @Test
    void closingRegionDoesNotWaitForTrafficOnOtherRegions() {
        try (Node node = Node.open(); WorkerThreads workers = new WorkerThreads()) {
            Traffic traffic = new Traffic(node, workers, Use.WRITE_TARGET);
            MemoryRegion busy = node.region(BYTES);
            AtomicInteger closed = new AtomicInteger();
            workers.require("a hundred other regions to be closed under traffic", () -> closed.get() > 100);
            workers.start("traffic", traffic::run);
            workers.start("owner", () -> {
                traffic.begin(busy);
                while (workers.isRunning()) {
                    node.region(Long.BYTES).close();
                    closed.incrementAndGet();
                }
                busy.close();
                traffic.awaitFailure();
                traffic.end();
            });
            workers.join();
        }
    }

    @Test
    void memoryIsNotAccessedAfterCloseReturnsEvenIfTwoThreadsCloseTheRegion() {
        try (Node node = Node.open(); WorkerThreads workers = new WorkerThreads()) {
            MemorySegment memory = Arena.ofAuto().allocate(LARGE, Long.BYTES);
            CompletionQueue cq = node.cq(4);
            QueuePair qp = node.queuePair(QpType.RC, cq, cq);
            MemoryRegion[] sources = {node.region(LARGE), node.region(LARGE)};
            sources[1].segment().fill((byte) TRAFFIC);
            MemoryRegion[] shared = new MemoryRegion[1];
            CyclicBarrier begin = workers.barrier(3, () -> shared[0] = node.pd.registerMemory(memory, Node.ALL));
            CyclicBarrier end = workers.barrier(3, () -> allRunning = workers.isRunning());
            allRunning = true;
            for (int i = 0; i < 2; i++) {
                int seed = i;
                workers.start("closer " + i, () -> {
                    MemorySegment snapshot = Arena.ofAuto().allocate(LARGE);
                    SplittableRandom random = new SplittableRandom(seed);
                    while (allRunning) {
                        workers.awaitBarrier(begin, "a region");
                        spin(random.nextInt(MAX_HEAD_START));
                        shared[0].close();
                        snapshot.copyFrom(memory);
                        workers.awaitBarrier(end, "the traffic to end");
                        assertEquals(-1, snapshot.mismatch(memory), "memory of a closed region was accessed");
                    }
                });
            }
            workers.start("writer", () -> {
                while (allRunning) {
                    workers.awaitBarrier(begin, "a region");
                    writeUntilItFails(workers, qp, sources, shared[0]);
                    workers.awaitBarrier(end, "the closers");
                }
            });
            workers.join();
        }
    }

    private volatile boolean allRunning;

    /** Writes two values alternately until a WRITE fails. */
    private static void writeUntilItFails(WorkerThreads workers, QueuePair qp, MemoryRegion[] sources,
            MemoryRegion target) {
        Node.connect(qp, qp);
        SendWorkRequest write = SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE).remote(target.address(),
                target.rkey());
        WorkCompletions done = WorkCompletions.create(1);
        do {
            write.wrId(1 - write.wrId()).sge(sources[(int) write.wrId()], 0, LARGE);
            qp.postSend(write);
            workers.await("the write", () -> qp.sendCq().poll(done) == 1);
        } while (done.isSuccess(0));
        assertEquals(WcStatus.REM_ACCESS_ERR, done.status(0));
        Node.reset(qp);
    }

    private static void spin(int rounds) {
        for (int i = 0; i < rounds; i++) {
            Thread.onSpinWait();
        }
    }

    private static void assertAll(MemorySegment memory, long expected, String what) {
        for (long at = 0; at < BYTES; at += Long.BYTES) {
            if (memory.get(JAVA_LONG, at) != expected) {
                throw new AssertionError(what + " changed at byte " + at + " of " + BYTES + ": 0x"
                        + Long.toHexString(memory.get(JAVA_LONG, at)));
            }
        }
    }

    /** Two connected queue pairs that use one region after the other, each until a request fails. */
    private static final class Traffic {
        final MemoryRegion other;
        final Set<WcStatus> seen = EnumSet.noneOf(WcStatus.class);
        int failures;
        private final WorkerThreads workers;
        private final Use use;
        private final CompletionQueue sent;
        private final CompletionQueue received;
        private final QueuePair left;
        private final QueuePair right;
        private final SendWorkRequest request = SendWorkRequest.create(1);
        private final ReceiveWorkRequest receive = ReceiveWorkRequest.create(1);
        private final WorkCompletions done = WorkCompletions.create(8);
        private volatile MemoryRegion region;
        private volatile boolean ended;

        Traffic(Node node, WorkerThreads workers, Use use) {
            this.workers = workers;
            this.use = use;
            sent = node.cq(8);
            received = node.cq(128);
            left = node.queuePair(QpType.RC, sent, sent);
            right = node.queuePair(QpType.RC, received, received);
            other = node.region(BYTES);
        }

        void begin(MemoryRegion used) {
            other.segment().fill((byte) TRAFFIC);
            region = used;
        }

        void awaitFailure() {
            workers.await("requests to fail", () -> region == null);
        }

        void end() {
            ended = true;
        }

        void run() {
            while (!ended) {
                workers.await("a region", () -> region != null || ended);
                if (!ended) {
                    useUntilItFails(region);
                    region = null;
                }
            }
        }

        /** Names the region by address and key. A request that holds the object would be rejected when posted. */
        private void useUntilItFails(MemoryRegion used) {
            Node.connect(left, right);
            MemoryRegion local = use.isLocal() ? used : other;
            MemoryRegion remote = use.isLocal() ? other : used;
            request.opcode(use.opcode).sge(0, local.address(), (int) BYTES, local.lkey())
                    .remote(remote.address(), remote.rkey());
            receive.sge(0, used.address(), (int) BYTES, used.lkey());
            WcStatus status = WcStatus.SUCCESS;
            while (status == WcStatus.SUCCESS) {
                if (use.opcode == WrOpcode.SEND) {
                    right.postReceive(receive);
                }
                left.postSend(request);
                workers.await("the request", () -> sent.poll(done) == 1);
                status = done.status(0);
                received.poll(done);
            }
            seen.add(status);
            failures++;
            Node.reset(left);
            Node.reset(right);
            workers.await("completions to be polled", () -> received.poll(done) == 0);
        }
    }
}
