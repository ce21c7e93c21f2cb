package io.jverbs.bench.scaling;

import io.jverbs.Access;
import io.jverbs.CompletionQueue;
import io.jverbs.MemoryRegion;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.bench.datapath.Loopback;
import io.jverbs.bench.suite.Against;
import io.jverbs.bench.suite.Calls;
import io.jverbs.bench.suite.Quick;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * RDMA WRITE of eight bytes by two threads beside one: the time that each thread's operation takes. Each has queue pairs and
 * memory of its own.
 */
@Quick
public class Threads extends Calls {
    private static final int ACCESS = Access.LOCAL_WRITE | Access.REMOTE_WRITE;

    /** For JMH. */
    public Threads() {
        // the states have it all
    }

    /** The device, and a completion queue for all. */
    @State(Scope.Benchmark)
    public static class Shared {
        private static final int ALIGNED = 4096;

        private Loopback loop;

        /** For JMH. */
        public Shared() {
            // open makes it all
        }

        /** Opens it. */
        @Setup
        public void open() {
            loop = new Loopback(ALIGNED);
        }

        /** Closes it. */
        @TearDown
        public void close() {
            loop.close();
        }
    }

    /** What a thread has. */
    @State(Scope.Thread)
    public static class Own {
        private CompletionQueue cq;
        private QueuePair qp;
        private QueuePair sharing;
        private SendWorkRequest write;
        private WorkCompletions completion;

        /** For JMH. */
        public Own() {
            // connect makes it all
        }

        /**
         * Connects a queue pair that completes to a queue of its own, and one that completes to the one for all.
         *
         * @param shared has that
         */
        @Setup
        public void connect(Shared shared) {
            cq = shared.loop.context().createCompletionQueue(Loopback.DEPTH);
            qp = connected(shared, cq);
            sharing = connected(shared, shared.loop.cq());
            Loopback loop = shared.loop;
            write = SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE).flags(SendFlags.SIGNALED);
            MemoryRegion source = loop.pd().allocate(Shared.ALIGNED, ACCESS);
            MemoryRegion target = loop.pd().allocate(Shared.ALIGNED, ACCESS);
            write.sge(source, 0, Long.BYTES).remote(target.address(), target.rkey());
            completion = WorkCompletions.create(1);
        }

        private static QueuePair connected(Shared shared, CompletionQueue queue) {
            QpInitAttributes init = QpInitAttributes.builder(QpType.RC).cq(queue).maxSendWr(Loopback.DEPTH)
                    .maxRecvWr(1).build();
            QueuePair qp = shared.loop.pd().createQueuePair(init);
            QueuePair peer = shared.loop.pd().createQueuePair(init);
            qp.connect(peer.localInfo());
            peer.connect(qp.localInfo());
            return qp;
        }

        int postAndPoll() {
            qp.postSend(write);
            return Loopback.await(cq, completion);
        }

        /** What it polls may be another thread's; there is one for each. */
        int postAndPollShared(Shared shared) {
            sharing.postSend(write);
            return Loopback.await(shared.loop.cq(), completion);
        }
    }

    /**
     * {@return 1}
     *
     * @param own the thread's
     */
    @Benchmark
    @org.openjdk.jmh.annotations.Threads(1)
    public int oneThread(Own own) {
        return own.postAndPoll();
    }

    /**
     * {@return 1}
     *
     * @param own the thread's
     */
    @Benchmark
    @org.openjdk.jmh.annotations.Threads(2)
    @Against("oneThread")
    public int twoThreads(Own own) {
        return own.postAndPoll();
    }

    /**
     * {@return 1}
     *
     * @param own the thread's
     * @param shared what all have
     */
    @Benchmark
    @org.openjdk.jmh.annotations.Threads(2)
    @Against("oneThread")
    public int twoThreadsOneQueue(Own own, Shared shared) {
        return own.postAndPollShared(shared);
    }
}
