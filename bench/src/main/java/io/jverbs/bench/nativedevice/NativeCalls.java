package io.jverbs.bench.nativedevice;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.Access;
import io.jverbs.CompletionQueue;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.bench.suite.Against;
import io.jverbs.bench.suite.Baseline;
import io.jverbs.bench.suite.Needs;
import io.jverbs.bench.suite.Quick;
import io.jverbs.ffm.DataPathCalls;
import io.jverbs.ffm.DataPathCalls.Critical;
import io.jverbs.ffm.Fields;
import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * post_send of a prepared request and poll_cq on the native device, compared with the same calls in C on the same kind
 * of objects of the same driver, {@code stub_provider.c}. Each invocation is a loop of the same length. The loops of
 * {@code postSendInC} and similar benchmarks are in C with the inline verbs of the header, {@code postSendRaw} uses
 * {@link DataPathCalls}, and {@code postSend} uses the API.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Needs(StubLibrary.Compiler.class)
@Quick(value = "handles=critical", without = {"postSendRaw", "pollEmptyRaw",
    "pollOneRaw"}, warmUp = 300, baselines = 200)
@Warmup(iterations = 4, time = 250, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 6, time = 250, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 5, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class NativeCalls {
    private static final int LOOP = 1000;

    /** For JMH. */
    public NativeCalls() {
        // no state
    }

    /** A queue pair with its completion queue, a completion queue that is empty, and one that is never empty. */
    public abstract static class Device {
        final StubLibrary stub = StubLibrary.load();
        RdmaContext context;
        QueuePair qp;
        CompletionQueue cq;
        CompletionQueue empty;
        CompletionQueue full;
        SendWorkRequest silent;
        SendWorkRequest signaled;
        WorkCompletions completions;
        long qpAddress;
        long wcAddress;

        abstract String selector();

        /** Opens the stub and creates the objects. */
        @Setup
        public void open() {
            context = Verbs.select(selector()).open();
            ProtectionDomain pd = context.allocatePd();
            cq = context.createCompletionQueue(64);
            empty = context.createCompletionQueue(64);
            full = context.createCompletionQueue(64);
            neverEmpty(full);
            qp = pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).maxSendWr(64).maxRecvWr(64).build());
            MemoryRegion source = pd.allocate(64, Access.LOCAL_WRITE);
            silent = write(source).flags(0);
            signaled = write(source).flags(SendFlags.SIGNALED);
            completions = WorkCompletions.create(1);
            qpAddress = qp.handle().nativeAddress();
            wcAddress = completions.memory().address();
        }

        private static SendWorkRequest write(MemoryRegion source) {
            return SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE).wrId(1).sge(source, 0, 8)
                    .remote(source.address(), source.rkey());
        }

        private void neverEmpty(CompletionQueue queue) {
            MethodHandle fill = stub.function("stub_never_empty", FunctionDescriptor.ofVoid(JAVA_LONG));
            try {
                fill.invokeExact(queue.handle().nativeAddress());
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }

        /** Closes the objects. */
        @TearDown
        public void close() {
            context.close();
        }
    }

    /** The state of the C loops. */
    @State(Scope.Thread)
    public static class C extends Device {
        private static final StubLibrary STUB = StubLibrary.load();
        private static final MethodHandle POST_SEND = STUB.function("baseline_post_send",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
        private static final MethodHandle POLL_CQ = STUB.function("baseline_poll_cq",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG));
        private static final MethodHandle POST_AND_POLL = STUB.function("baseline_post_and_poll",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG));

        private long cqAddress;

        /** For JMH. */
        public C() {
            // initialized by open
        }

        @Override
        String selector() {
            return "stub:plain";
        }

        @Override
        public void open() {
            super.open();
            cqAddress = cq.handle().nativeAddress();
        }

        private long poll(CompletionQueue queue) throws Throwable {
            return (long) POLL_CQ.invokeExact(queue.handle().nativeAddress(), 1, wcAddress, (long) LOOP);
        }
    }

    /** The state of the loops in Java, with either kind of calls. */
    @State(Scope.Thread)
    public static class Java extends Device {
        /** The kind of calls of the driver: critical functions or not. */
        @Param({"critical", "plain"})
        public String handles;

        private DataPathCalls calls;
        private long emptyAddress;
        private long fullAddress;
        private long wrAddress;
        private long badAddress;

        /** For JMH. */
        public Java() {
            // initialized by open
        }

        @Override
        String selector() {
            return "stub:" + handles;
        }

        @Override
        public void open() {
            super.open();
            emptyAddress = empty.handle().nativeAddress();
            fullAddress = full.handle().nativeAddress();
            wrAddress = silent.address();
            badAddress = silent.badWrAddress();
            calls = new DataPathCalls(Fields.context(qpAddress),
                    handles.equals("critical") ? Critical.ALL : Critical.NONE);
        }
    }

    /**
     * {@return the number of failed posts}
     *
     * @param c the state
     * @throws Throwable never
     */
    @Benchmark
    @Baseline
    @OperationsPerInvocation(LOOP)
    public long postSendInC(C c) throws Throwable {
        return (long) C.POST_SEND.invokeExact(c.qpAddress, c.silent.memory().address(), (long) LOOP);
    }

    /**
     * {@return the number of failed posts}
     *
     * @param java the state
     */
    @Benchmark
    @Against("postSendInC")
    @OperationsPerInvocation(LOOP)
    public long postSendRaw(Java java) {
        long failures = 0;
        for (int i = 0; i < LOOP; i++) {
            failures += java.calls.postSend(java.qpAddress, java.wrAddress, java.badAddress);
        }
        return failures;
    }

    /**
     * {@return the number of failed posts}
     *
     * @param java the state
     */
    @Benchmark
    @Against("postSendInC")
    @OperationsPerInvocation(LOOP)
    public long postSend(Java java) {
        long failures = 0;
        for (int i = 0; i < LOOP; i++) {
            failures += java.qp.tryPostSend(java.silent);
        }
        return failures;
    }

    /**
     * {@return the number of completions}
     *
     * @param c the state
     * @throws Throwable never
     */
    @Benchmark
    @Baseline
    @OperationsPerInvocation(LOOP)
    public long pollEmptyInC(C c) throws Throwable {
        return c.poll(c.empty);
    }

    /**
     * {@return the number of completions}
     *
     * @param java the state
     */
    @Benchmark
    @Against("pollEmptyInC")
    @OperationsPerInvocation(LOOP)
    public long pollEmptyRaw(Java java) {
        return poll(java.calls, java.emptyAddress, java.wcAddress);
    }

    /**
     * {@return the number of completions}
     *
     * @param java the state
     */
    @Benchmark
    @Against("pollEmptyInC")
    @OperationsPerInvocation(LOOP)
    public long pollEmpty(Java java) {
        return poll(java.empty, java.completions);
    }

    /**
     * {@return the number of completions}
     *
     * @param c the state
     * @throws Throwable never
     */
    @Benchmark
    @Baseline
    @OperationsPerInvocation(LOOP)
    public long pollOneInC(C c) throws Throwable {
        return c.poll(c.full);
    }

    /**
     * {@return the number of completions}
     *
     * @param java the state
     */
    @Benchmark
    @Against("pollOneInC")
    @OperationsPerInvocation(LOOP)
    public long pollOneRaw(Java java) {
        return poll(java.calls, java.fullAddress, java.wcAddress);
    }

    /**
     * {@return the number of completions}
     *
     * @param java the state
     */
    @Benchmark
    @Against("pollOneInC")
    @OperationsPerInvocation(LOOP)
    public long pollOne(Java java) {
        return poll(java.full, java.completions);
    }

    /**
     * {@return the number of completions}
     *
     * @param c the state
     * @throws Throwable never
     */
    @Benchmark
    @Baseline
    @OperationsPerInvocation(LOOP)
    public long postAndPollInC(C c) throws Throwable {
        return (long) C.POST_AND_POLL.invokeExact(c.qpAddress, c.signaled.memory().address(), c.cqAddress, 1,
                c.wcAddress, (long) LOOP);
    }

    /**
     * {@return the number of completions}
     *
     * @param java the state
     */
    @Benchmark
    @Against("postAndPollInC")
    @OperationsPerInvocation(LOOP)
    public long postAndPoll(Java java) {
        long count = 0;
        for (int i = 0; i < LOOP; i++) {
            if (java.qp.tryPostSend(java.signaled) == 0) {
                count += java.cq.poll(java.completions);
            }
        }
        return count;
    }

    private static long poll(DataPathCalls calls, long queue, long wc) {
        long count = 0;
        for (int i = 0; i < LOOP; i++) {
            count += calls.pollCq(queue, 1, wc);
        }
        return count;
    }

    private static long poll(CompletionQueue queue, WorkCompletions completions) {
        long count = 0;
        for (int i = 0; i < LOOP; i++) {
            count += queue.poll(completions);
        }
        return count;
    }
}
