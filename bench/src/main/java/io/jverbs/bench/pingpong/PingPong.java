package io.jverbs.bench.pingpong;

import io.jverbs.bench.suite.Against;
import io.jverbs.bench.suite.Baseline;
import io.jverbs.bench.suite.Quick;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Two threads of one JVM that send each other 64 bytes and spin until they come: the time of a round trip. Nothing else runs
 * meanwhile, so two processors will do.
 */
@BenchmarkMode({Mode.AverageTime, Mode.SampleTime})
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 8, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 5, jvmArgsAppend = {"--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED"})
@Quick(value = "signaledOneIn=1", modes = Mode.AverageTime, warmUp = 800, baselines = 800)
public class PingPong {
    /** The bytes of each message. */
    static final int BYTES = 64;

    /** For JMH. */
    public PingPong() {
        // the states have it all
    }

    /**
     * SEND and RECV; completions of SENDs are reaped when they are there, not awaited.
     *
     * @param state the two sides
     */
    @Benchmark
    @Against("volatileWord")
    @Against("aeronIpc")
    @Against("spscQueue")
    @Against("handWritten")
    public void send(SendState state) {
        state.roundTrip();
    }

    /**
     * RDMA WRITE; the reader spins on the last eight bytes.
     *
     * @param state the two sides
     */
    @Benchmark
    @Against("volatileWord")
    @Against("aeronIpc")
    @Against("spscQueue")
    public void write(WriteState state) {
        state.roundTrip();
    }

    /**
     * SEND and RECV by hand.
     *
     * @param state the two sides
     */
    @Benchmark
    @Baseline
    public void handWritten(HandWrittenState state) {
        state.roundTrip();
    }

    /**
     * A volatile word each way.
     *
     * @param state the words
     */
    @Benchmark
    @Baseline
    public void volatileWord(VolatileState state) {
        state.roundTrip();
    }

    /**
     * A queue of JCTools each way, for one producer and one consumer.
     *
     * @param state the queues
     */
    @Benchmark
    @Baseline
    public void spscQueue(SpscState state) {
        state.roundTrip();
    }

    /**
     * An IPC stream of Aeron each way.
     *
     * @param state the streams
     */
    @Benchmark
    @Baseline
    public void aeronIpc(AeronState state) {
        state.roundTrip();
    }
}
