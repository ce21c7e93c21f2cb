package io.jverbs.samples.applications;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.nio.RdmaSelectorProvider;
import io.jverbs.samples.ChildJvm;
import io.jverbs.samples.Run;
import io.jverbs.samples.SamplesProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * JVMs whose channels use RDMA because of a system property, and the check that they did. A program prints the counters
 * of its device with {@link RdmaTraffic}.
 */
final class RdmaJvm {
    /** The address of the device on the wire that a program has alone. */
    static final String ADDRESS = "127.0.48.1";

    private static final int SECONDS = 60;
    private static final Pattern COUNTERS = Pattern.compile("(?m)^rdma (\\d+) (\\d+)$");

    private RdmaJvm() {}

    /** Returns the options of a JVM whose device is on the wire. */
    static List<String> onTheWire(String address, String rule) {
        return options("soft:" + address + "?fabric=wire", rule);
    }

    /** Returns the options of a JVM with a device. */
    static List<String> options(String device, String rule) {
        return List.of("-Djava.nio.channels.spi.SelectorProvider=" + RdmaSelectorProvider.class.getName(),
                "-Djverbs.device=" + device, "-Djverbs.nio.rdma=" + rule);
    }

    /** Starts a program of this package. */
    static ChildJvm start(List<String> options, Class<?> program, String... args) throws IOException {
        List<String> all = new ArrayList<>(options);
        all.add("-Xmx1g");
        return ChildJvm.start(SamplesProcess.classPath(), all, program.getName(), List.of(args));
    }

    /** Runs a program of this package, which succeeds. */
    static Run run(List<String> options, Class<?> program, String... args) throws IOException, InterruptedException {
        try (ChildJvm jvm = start(options, program, args)) {
            Run run = jvm.await(SECONDS);
            assertEquals(0, run.status(), () -> run.out() + run.err());
            return run;
        }
    }

    /**
     * Checks that a program has used RDMA.
     *
     * @param run the run of the program
     * @param connections the least number of connections
     * @param bytes the least number of bytes that its device has sent
     */
    static void assertUsedRdma(Run run, long connections, long bytes) {
        MatchResult counters = COUNTERS.matcher(run.out()).results().findFirst().orElseThrow(
                () -> new AssertionError("the program has printed no counters: " + run.out() + run.err()));
        long established = Long.parseLong(counters.group(1));
        long sent = Long.parseLong(counters.group(2));
        assertTrue(established >= connections && sent >= bytes, () -> "established " + established
                + " connections by RDMA and sent " + sent + " bytes, not " + connections + " and " + bytes + ":\n"
                + run.out() + run.err());
    }
}
