package io.jverbs.bench.busy;

import io.jverbs.bench.suite.Needs;
import io.jverbs.bench.suite.Quick;
import java.io.Closeable;
import java.io.IOException;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;

/**
 * Round trips between two processes in one cgroup that has half a processor, as a container can have. The JVMs regard
 * it as one processor, as they do if they are started in such a cgroup. The kernel stops both processes for the rest of
 * each period of 100 ms when they have used 50 ms together; the average includes this time.
 */
@BenchmarkMode({Mode.SampleTime, Mode.AverageTime})
@Fork(value = 5, jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "-XX:-BackgroundCompilation",
    "-XX:ActiveProcessorCount=1"})
@Needs(Cgroup.Creatable.class)
@Quick(value = "bytes=64", without = {"sendNio", "sendLinux", "waitNio", "waitLinux", "endpointNio", "endpointLinux",
    "datagrams", "tcp", "tcpBlocking"})
public class HalfProcessorLatency extends RoundTrips {
    private Cgroup group;

    /** For JMH. */
    public HalfProcessorLatency() {
        // opened by open
    }

    @Override
    protected Closeable restrict() throws IOException {
        group = Cgroup.join();
        return group;
    }

    /** After the warm-up, which would take several times as long otherwise. */
    @Override
    protected Closeable load() throws IOException {
        group.limit();
        return group::removeLimit;
    }
}
