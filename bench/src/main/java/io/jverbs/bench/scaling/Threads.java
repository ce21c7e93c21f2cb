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
import io.jverbs.bench.suite.CallBenchmark;
import io.jverbs.bench.suite.Quick;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * RDMA WRITE of eight bytes by two threads, compared with one thread. The score is the time per operation of one
 * thread. Each thread has its own queue pairs and memory.
 */
@Quick
public class Threads extends CallBenchmark {
    private static final int ACCESS = Access.LOCAL_WRITE | Access.REMOTE_WRITE;

    /** For JMH. */
    public Threads() {
        // no state
    }

    /** The state of all threads: the device and a shared completion queue. */
    @State(Scope.Benchmark)
    public static class Shared {
        private static final int ALIGNED = 4096;

        private Loopback loop;

        /** For JMH. */
        public Shared() {
            // initialized by open
        }

        /** Opens the device. */
        @Setup
        public void open() {
            loop = new Loopback(ALIGNED);
        }

        /** Closes the device. */
        @TearDown
        public void close() {
            loop.close();
        }
    }

    /** The state of one thread. */
    @State(Scope.Thread)
    public static class Own {
        private CompletionQueue cq;
        private QueuePair qp;
        private QueuePair sharing;
        private SendWorkRequest write;
        private WorkCompletions completion;

        /** For JMH. */
        public Own() {
            // initialized by connect
        }

        /**
         * Connects a queue pair with its own completion queue, and one with the shared completion queue.
         *
         * @param shared the state of all threads
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

        /**
         * Posts and polls one completion, which may be that of another thread: each thread polls as many as it posts.
         */
        int postAndPollShared(Shared shared) {
            sharing.postSend(write);
            return Loopback.await(shared.loop.cq(), completion);
        }
    }

    /**
     * {@return 1, the number of completions}
     *
     * @param own the state of the thread
     */
    @Benchmark
    @org.openjdk.jmh.annotations.Threads(1)
    public int oneThread(Own own) {
        return own.postAndPoll();
    }

    /**
     * {@return 1, the number of completions}
     *
     * @param own the state of the thread
     */
    @Benchmark
    @org.openjdk.jmh.annotations.Threads(2)
    @Against("oneThread")
    public int twoThreads(Own own) {
        return own.postAndPoll();
    }

    /**
     * {@return 1, the number of completions}
     *
     * @param own the state of the thread
     * @param shared the state of all threads
     */
    @Benchmark
    @org.openjdk.jmh.annotations.Threads(2)
    @Against("oneThread")
    public int twoThreadsOneQueue(Own own, Shared shared) {
        return own.postAndPollShared(shared);
    }
}
