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
 * Memory that goes away under traffic: once close() of a region has returned, not a byte of it changes or is read any more; a closed
 * arena under a region makes errors, never a crash.
 */
final class RegionClosingTest {
    private static final int WORDS = 1024;
    private static final long BYTES = WORDS * Long.BYTES;
    private static final long TRAFFIC = 0x1111_1111_1111_1111L;
    private static final long OWNER = 0x2222_2222_2222_2222L;
    private static final int MAX_HEAD_START = 3000;
    private static final int LARGE = 1 << 20;
    private static final double A_ROW = 0.4;

    /** What the traffic does with the memory that goes away, and how its requests may then fail. */
    enum Use {
        WRITE_TARGET(WrOpcode.RDMA_WRITE, WcStatus.REM_ACCESS_ERR), READ_TARGET(WrOpcode.RDMA_READ,
                WcStatus.REM_ACCESS_ERR), RECEIVE_BUFFER(WrOpcode.SEND, WcStatus.REM_OP_ERR), WRITE_SOURCE(
                        WrOpcode.RDMA_WRITE, WcStatus.LOC_PROT_ERR), READ_SINK(WrOpcode.RDMA_READ,
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

        /** Whether the traffic writes to the memory, rather than reading it. */
        boolean changes() {
            return this == WRITE_TARGET || this == RECEIVE_BUFFER || this == READ_SINK;
        }
    }

    @ParameterizedTest
    @EnumSource
    void noByteIsTouchedOnceClosingTheRegionHasReturned(Use use) {
        try (Node node = Node.open(); Team team = new Team(A_ROW)) {
            MemorySegment memory = Arena.ofAuto().allocate(BYTES, Long.BYTES);
            Traffic traffic = new Traffic(node, team, use);
            team.until("two regions lose their memory under traffic", () -> traffic.failures > 1);
            team.member("traffic", traffic::run);
            team.member("owner", () -> {
                SplittableRandom random = new SplittableRandom(1);
                while (team.goesOn()) {
                    memory.fill((byte) TRAFFIC);
                    MemoryRegion region = node.pd.registerMemory(memory, Node.ALL);
                    traffic.begin(region);
                    spin(random.nextInt(MAX_HEAD_START));
                    region.close();
                    memory.fill((byte) OWNER);
                    traffic.awaitFailure();
                    if (use.changes()) {
                        assertAll(memory, OWNER, "memory of a closed region");
                    } else {
                        assertAll(traffic.other.segment(), TRAFFIC, "what was read before the region was closed");
                    }
                }
                traffic.end();
            });
            team.join();
            assertEquals(Set.of(use.failure), traffic.seen);
        }
    }

    @ParameterizedTest
    @EnumSource
    void closingTheArenaUnderARegionMakesErrorCompletionsAndNoCrash(Use use) {
        try (Node node = Node.open(); Team team = new Team(A_ROW)) {
            Traffic traffic = new Traffic(node, team, use);
            team.until("two regions lose their memory under traffic", () -> traffic.failures > 1);
            team.member("traffic", traffic::run);
            team.member("owner", () -> {
                SplittableRandom random = new SplittableRandom(2);
                while (team.goesOn()) {
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
            team.join();
            assertEquals(Set.of(use.failure), traffic.seen);
        }
    }

    @Test
    void closingARegionWaitsOnlyForAccessesUnderWay() {
        try (Node node = Node.open(); Team team = new Team()) {
            Traffic traffic = new Traffic(node, team, Use.WRITE_TARGET);
            MemoryRegion busy = node.region(BYTES);
            AtomicInteger closed = new AtomicInteger();
            team.until("a hundred others close while the traffic goes on", () -> closed.get() > 100);
            team.member("traffic", traffic::run);
            team.member("owner", () -> {
                traffic.begin(busy);
                while (team.goesOn()) {
                    node.region(Long.BYTES).close();
                    closed.incrementAndGet();
                }
                busy.close();
                traffic.awaitFailure();
                traffic.end();
            });
            team.join();
        }
    }

    @Test
    void whoeverClosesARegionHasItToHimselfWhenCloseReturnsEvenIfAnotherThreadClosesItToo() {
        try (Node node = Node.open(); Team team = new Team()) {
            MemorySegment memory = Arena.ofAuto().allocate(LARGE, Long.BYTES);
            CompletionQueue cq = node.cq(4);
            QueuePair qp = node.queuePair(QpType.RC, cq, cq);
            MemoryRegion[] sources = {node.region(LARGE), node.region(LARGE)};
            sources[1].segment().fill((byte) TRAFFIC);
            MemoryRegion[] shared = new MemoryRegion[1];
            CyclicBarrier begin = team.barrier(3, () -> shared[0] = node.pd.registerMemory(memory, Node.ALL));
            CyclicBarrier end = team.barrier(3, () -> goesOnTogether = team.goesOn());
            goesOnTogether = true;
            for (int i = 0; i < 2; i++) {
                int seed = i;
                team.member("closer " + i, () -> {
                    MemorySegment snapshot = Arena.ofAuto().allocate(LARGE);
                    SplittableRandom random = new SplittableRandom(seed);
                    while (goesOnTogether) {
                        team.meet(begin, "a region");
                        spin(random.nextInt(MAX_HEAD_START));
                        shared[0].close();
                        snapshot.copyFrom(memory);
                        team.meet(end, "the traffic to end");
                        assertEquals(-1, snapshot.mismatch(memory), "memory of a closed region was touched");
                    }
                });
            }
            team.member("writer", () -> {
                while (goesOnTogether) {
                    team.meet(begin, "a region");
                    writeUntilItFails(team, qp, sources, shared[0]);
                    team.meet(end, "the closers");
                }
            });
            team.join();
        }
    }

    private volatile boolean goesOnTogether;

    /** Writes now one value, now another. */
    private static void writeUntilItFails(Team team, QueuePair qp, MemoryRegion[] sources, MemoryRegion target) {
        Node.connect(qp, qp);
        SendWorkRequest write = SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE).remote(target.address(),
                target.rkey());
        WorkCompletions done = WorkCompletions.create(1);
        do {
            write.wrId(1 - write.wrId()).sge(sources[(int) write.wrId()], 0, LARGE);
            qp.postSend(write);
            team.await("the write", () -> qp.sendCq().poll(done) == 1);
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
                throw new AssertionError(what + " was touched at byte " + at + " of " + BYTES + ": 0x"
                        + Long.toHexString(memory.get(JAVA_LONG, at)));
            }
        }
    }

    /** A pair of queue pairs that use a region until that fails, again and again. */
    private static final class Traffic {
        final MemoryRegion other;
        final Set<WcStatus> seen = EnumSet.noneOf(WcStatus.class);
        int failures;
        private final Team team;
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

        Traffic(Node node, Team team, Use use) {
            this.team = team;
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
            team.await("requests to fail", () -> region == null);
        }

        void end() {
            ended = true;
        }

        void run() {
            while (!ended) {
                team.await("a region", () -> region != null || ended);
                if (!ended) {
                    useUntilItFails(region);
                    region = null;
                }
            }
        }

        /** Names the region by its numbers: requests that hold the object are refused at once after it is closed. */
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
                team.await("the request", () -> sent.poll(done) == 1);
                status = done.status(0);
                received.poll(done);
            }
            seen.add(status);
            failures++;
            Node.reset(left);
            Node.reset(right);
            team.await("completions to be polled", () -> received.poll(done) == 0);
        }
    }
}
