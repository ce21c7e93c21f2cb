package io.jverbs.samples.memory;

import io.jverbs.RdmaContext;
import io.jverbs.RdmaDevice;
import io.jverbs.Verbs;
import io.jverbs.samples.connect.Devices;
import io.jverbs.samples.connect.Numbers;
import io.jverbs.samples.console.HelpOption;
import io.jverbs.samples.console.SampleFailure;
import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Establishes many connections, and prints the heap that each end uses and the time to connect and to close one. */
@Command(name = "cm-memory", description = "Measures the heap that a connected CM ID with its queue pair uses, and the"
        + " time to connect and to close a connection.")
public final class ConnectionMemoryCommand implements Runnable {
    private static final int MAX_COUNT = 1 << 22;
    private static final int WARM_UP = 1000;
    private static final double KIB = 1024;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double NANOS_PER_SECOND = 1e9;

    @Option(names = {"-n", "--count"}, paramLabel = "N", defaultValue = "5000", description = "The number of"
            + " connections, each of which has a CM ID at either end; default ${DEFAULT-VALUE}.")
    private String countOption;
    @Option(names = "--peer", paramLabel = "DEVICE", description = "The selector of the device that"
            + " listens; by default the one that connects.")
    private String peer;
    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;
    private int count;

    @Override
    public void run() {
        RdmaDevice server;
        try {
            count = Numbers.read("--count", countOption, 1, MAX_COUNT);
            server = peer == null ? null : Devices.select("--peer", peer);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        try (RdmaContext clientContext = Verbs.open();
                RdmaContext serverContext = server == null ? clientContext : server.open()) {
            measure(clientContext, serverContext);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SampleFailure("interrupted");
        }
    }

    private void measure(RdmaContext clientContext, RdmaContext serverContext) throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        try (ManyConnections warmUp = new ManyConnections(clientContext, serverContext)) {
            warmUp.connect(WARM_UP);
        }
        long before = UsedHeap.bytes();
        ManyConnections connections = new ManyConnections(clientContext, serverContext);
        long connected;
        long start = System.nanoTime();
        try (connections) {
            connections.connect(count);
            connected = System.nanoTime() - start;
            double bytes = (UsedHeap.bytes() - before) / (2.0 * count);
            out.println("connections   heap per CM ID and queue pair   to connect   connections a second   to close");
            out.print(String.format(Locale.ROOT, "%11d %27.1f KiB %9.1f us %22.0f", count, bytes / KIB,
                    connected / NANOS_PER_MICRO / count, count * NANOS_PER_SECOND / connected));
            start = System.nanoTime();
        }
        out.println(String.format(Locale.ROOT, " %7.1f us", (System.nanoTime() - start) / NANOS_PER_MICRO / count));
    }
}
