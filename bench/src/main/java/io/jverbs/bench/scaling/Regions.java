package io.jverbs.bench.scaling;

import io.jverbs.Access;
import io.jverbs.MemoryRegion;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.bench.datapath.HandWrittenPath;
import io.jverbs.bench.datapath.Loopback;
import io.jverbs.bench.suite.Against;
import io.jverbs.bench.suite.Allowed;
import io.jverbs.bench.suite.Baseline;
import io.jverbs.bench.suite.CallBenchmark;
import io.jverbs.bench.suite.ControlPath;
import io.jverbs.bench.suite.Quick;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * RDMA WRITE of eight bytes to a random one of many memory regions, compared with the hand-written path with as many
 * regions, which has the same cache misses.
 */
@State(Scope.Thread)
@Quick(value = "regions=1,100000", without = "registerAndClose")
public class Regions extends CallBenchmark {
    private static final int ACCESS = Access.LOCAL_WRITE | Access.REMOTE_WRITE;
    private static final long BYTES = 64;
    /** The random regions are drawn in advance and read in order, so that only the lookups access random memory. */
    private static final int DRAWS = 1 << 20;

    /** The number of regions. */
    @Param({"1", "1000", "1000000"})
    @Allowed(max = 4_000_000)
    public int regions;

    private Arena arena;
    private MemorySegment memory;
    private Loopback loop;
    private HandWrittenPath byHand;
    private SendWorkRequest write;
    private SendWorkRequest byHandWrite;
    private WorkCompletions completion;
    private final long[] addresses = new long[DRAWS];
    private final int[] keys = new int[DRAWS];
    private final int[] byHandKeys = new int[DRAWS];
    private int next;

    /** For JMH. */
    public Regions() {
        // initialized by register
    }

    /** Registers the regions. */
    @Setup
    public void register() {
        arena = Arena.ofShared();
        memory = arena.allocate(regions * BYTES, BYTES);
        loop = new Loopback(BYTES);
        byHand = new HandWrittenPath(2 * Integer.highestOneBit(regions));
        int byHandSource = byHand.register(0, loop.source().segment());
        MemoryRegion[] registered = new MemoryRegion[regions];
        int[] byHandRegistered = new int[regions];
        for (int i = 0; i < regions; i++) {
            MemorySegment slice = memory.asSlice(i * BYTES, BYTES);
            registered[i] = loop.pd().registerMemory(slice, ACCESS);
            byHandRegistered[i] = byHand.register(i + 1, slice);
        }
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < DRAWS; i++) {
            int drawn = random.nextInt(regions);
            addresses[i] = registered[drawn].address();
            keys[i] = registered[drawn].rkey();
            byHandKeys[i] = byHandRegistered[drawn];
        }
        write = SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE).flags(SendFlags.SIGNALED).sge(loop.source(), 0,
                Long.BYTES);
        byHandWrite = SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE).flags(SendFlags.SIGNALED).sge(0,
                loop.source().address(), Long.BYTES, byHandSource);
        completion = WorkCompletions.create(1);
    }

    /** Closes the regions. */
    @TearDown
    public void close() {
        loop.close();
        arena.close();
    }

    private int draw() {
        next = next + 1 & DRAWS - 1;
        return next;
    }

    /** {@return 1, the number of completions} */
    @Benchmark
    @Against("handWritten")
    @Against(value = "write", with = "regions=1")
    public int write() {
        int i = draw();
        loop.qp().postSend(write.remote(addresses[i], keys[i]));
        return Loopback.await(loop.cq(), completion);
    }

    /** {@return 1, the number of completions} */
    @Benchmark
    @Baseline
    public int handWritten() {
        int i = draw();
        byHand.post(byHandWrite.remote(addresses[i], byHandKeys[i]).memory());
        return byHand.poll(completion.memory());
    }

    /** reg_mr and dereg_mr of one more region. */
    @Benchmark
    @ControlPath
    @Against(value = "registerAndClose", with = "regions=1")
    public void registerAndClose() {
        loop.pd().registerMemory(memory, ACCESS).close();
    }
}
