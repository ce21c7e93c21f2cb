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
 * The round trip of 64 bytes between two threads of one JVM that poll busily. No other thread runs, so two processors
 * suffice.
 */
@BenchmarkMode({Mode.AverageTime, Mode.SampleTime})
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 8, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 5, jvmArgsAppend = {"--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED"})
@Quick(value = "signaledOneIn=1", modes = Mode.AverageTime, warmUp = 800, baselines = 800)
public class PingPong {
    /** The length of each message in bytes. */
    static final int BYTES = 64;

    /** For JMH. */
    public PingPong() {
        // no state
    }

    /**
     * SEND and RECV; send completions are reaped without waiting for them.
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
     * RDMA WRITE; the receiver polls the last eight bytes.
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
     * A volatile word in each direction.
     *
     * @param state the words
     */
    @Benchmark
    @Baseline
    public void volatileWord(VolatileState state) {
        state.roundTrip();
    }

    /**
     * A single-producer single-consumer queue of JCTools in each direction.
     *
     * @param state the queues
     */
    @Benchmark
    @Baseline
    public void spscQueue(SpscState state) {
        state.roundTrip();
    }

    /**
     * An IPC stream of Aeron in each direction.
     *
     * @param state the streams
     */
    @Benchmark
    @Baseline
    public void aeronIpc(AeronState state) {
        state.roundTrip();
    }
}
