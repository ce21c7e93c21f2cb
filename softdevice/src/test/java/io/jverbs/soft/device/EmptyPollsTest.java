package io.jverbs.soft.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.CompletionQueue;
import io.jverbs.Devices;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.soft.fabric.LocalNetwork;
import io.jverbs.soft.fabric.NetworkLifetime;
import io.jverbs.soft.fabric.PacketSource;
import io.jverbs.soft.fabric.RealTimers;
import io.jverbs.soft.fabric.SoftPort;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What a poll of an empty completion queue does on a device that receives packets: it receives, and if polls have found
 * nothing for some time, it yields and receives again. The yield shows in the second call of the packet source.
 */
@Timeout(60)
final class EmptyPollsTest {
    private static final long BEFORE_YIELD_NANOS = 50_000;
    private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long SEVERAL_YIELDS_NANOS = 20_000_000;

    private final TestSource source = new TestSource();
    private final RdmaContext context = Devices.open(createDevice());
    private final CompletionQueue cq = context.createCompletionQueue(16);
    private final WorkCompletions completions = WorkCompletions.create(1);

    @AfterEach
    void close() {
        context.close();
    }

    /** A source that receives what a test wants. */
    private static final class TestSource implements PacketSource {
        private boolean polled = true;
        private boolean progresses;
        private int polls;
        private int pollsAfterYield;
        /** What the second call in one poll of the completion queue receives. */
        private Runnable second = () -> {};

        @Override
        public void serve(SoftPort port) {
            // no packets
        }

        @Override
        public boolean isPolled() {
            return polled;
        }

        @Override
        public boolean poll() {
            polls++;
            if (polls == 2) {
                second.run();
            }
            return progresses;
        }

        @Override
        public boolean pollAfterYield() {
            pollsAfterYield++;
            return poll();
        }

        @Override
        public void close() {
            // holds no resources
        }
    }

    private SoftDevice createDevice() {
        return new SoftDevice(
                new TestFabric(new LocalNetwork(new RealTimers()), 1, source, NetworkLifetime.UNLIMITED));
    }

    /** Polls once; returns whether the poll has yielded. */
    private boolean pollYields() {
        source.polls = 0;
        source.pollsAfterYield = 0;
        assertEquals(0, cq.poll(completions));
        assertTrue(source.polls == 1 || source.polls == 2, "calls of the source: " + source.polls);
        // the second one is not left to another thread
        assertEquals(source.polls - 1, source.pollsAfterYield);
        return source.polls == 2;
    }

    /** Polls until a poll yields. */
    private void awaitYield() {
        long start = System.nanoTime();
        while (!pollYields()) {
            assertTrue(System.nanoTime() - start < DEADLINE_NANOS, "no poll has yielded");
            Thread.onSpinWait();
        }
    }

    /** Polls for a time; returns the number of polls that have yielded. */
    private int yieldsWithin(long nanos) {
        int yields = 0;
        for (long start = System.nanoTime(); System.nanoTime() - start < nanos;) {
            yields += pollYields() ? 1 : 0;
        }
        return yields;
    }

    @Test
    void pollsThatFindNothingYieldAfterFiftyMicroseconds() {
        for (int i = 0; i < 100; i++) {
            long start = System.nanoTime();
            awaitYield();

            assertTrue(System.nanoTime() - start >= BEFORE_YIELD_NANOS);
        }
    }

    @Test
    void theCompletionOfAPacketThatArrivesDuringTheYieldIsReturned() {
        try (ProtectionDomain pd = context.allocatePd();
                MemoryRegion region = pd.allocate(64, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
                QueuePair left = pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).build());
                QueuePair right = pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).build())) {
            left.connect(right.localInfo());
            right.connect(left.localInfo());
            source.second = () -> left.postSend(SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE)
                    .flags(SendFlags.SIGNALED).sge(region, 0, 8).remote(region.address(), region.rkey()));
            int count;
            long start = System.nanoTime();
            do {
                source.polls = 0;
                count = cq.poll(completions);
            } while (source.polls == 1 && System.nanoTime() - start < DEADLINE_NANOS);

            assertEquals(2, source.polls);
            assertEquals(1, count);
            assertEquals(WcStatus.SUCCESS, completions.status(0));
        }
    }

    @Test
    void pollsThatReceiveOrLeaveWorkDoNotYield() {
        source.progresses = true;

        assertEquals(0, yieldsWithin(SEVERAL_YIELDS_NANOS));
    }

    @Test
    void thePollAfterAYieldBeginsTheTimeAgain() {
        awaitYield();
        assertFalse(pollYields());
    }

    /** Virtual threads have a yield of their own, which does not receive. */
    @Test
    void virtualThreadsDoNotYieldInThisWay() throws Exception {
        FutureTask<Integer> polling = new FutureTask<>(() -> yieldsWithin(SEVERAL_YIELDS_NANOS));
        Thread.ofVirtual().start(polling);

        assertEquals(0, polling.get(30, TimeUnit.SECONDS));
    }

    @Test
    void aSourceThatIsNotPolledIsNotCalled() {
        source.polled = false;
        try (RdmaContext other = Devices.open(createDevice());
                CompletionQueue empty = other.createCompletionQueue(16)) {
            for (int i = 0; i < 1000; i++) {
                assertEquals(0, empty.poll(completions));
            }

            assertEquals(0, source.polls);
        }
    }
}
