package io.jverbs.samples.memory;

import io.jverbs.CompletionQueue;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.samples.connect.Numbers;
import io.jverbs.samples.console.HelpOption;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Creates many queue pairs, and prints the heap that each uses and the time to create and to close one. */
@Command(name = "qp-memory", description = "Measures the heap that an idle queue pair uses, and the time to create and"
        + " to close one.")
public final class QueuePairMemoryCommand implements Runnable {
    private static final int SMALL = 1;
    private static final int LARGE = 128;
    private static final double KIB = 1024;
    private static final double NANOS_PER_MICRO = 1e3;
    /** The number of queue pair numbers. */
    private static final int MAX_COUNT = 1 << 24;

    @Option(names = {"-n", "--count"}, paramLabel = "N", defaultValue = "10000", description = "The number of queue"
            + " pairs to create; default ${DEFAULT-VALUE}.")
    private String countOption;
    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;
    private int count;

    @Override
    public void run() {
        try {
            count = Numbers.read("--count", countOption, 1, MAX_COUNT);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        PrintWriter out = spec.commandLine().getOut();
        try (RdmaContext context = Verbs.open();
                ProtectionDomain pd = context.allocatePd();
                CompletionQueue cq = context.createCompletionQueue(LARGE)) {
            // The first measurement warms up the JIT compiler.
            measure(pd, cq, SMALL);
            out.println("send + receive requests   heap per RC queue pair   to create   to close");
            for (int requests : new int[] {SMALL, LARGE}) {
                Cost cost = measure(pd, cq, requests);
                out.println(String.format(Locale.ROOT, "%11d + %-11d %18.1f KiB %9.1f us %7.1f us", requests, requests,
                        cost.bytes / KIB, cost.createNanos / NANOS_PER_MICRO, cost.closeNanos / NANOS_PER_MICRO));
            }
        }
    }

    /** The average cost of one queue pair. */
    private record Cost(double bytes, double createNanos, double closeNanos) {}

    private Cost measure(ProtectionDomain pd, CompletionQueue cq, int requests) {
        QpInitAttributes attributes = QpInitAttributes.builder(QpType.RC).cq(cq).maxSendWr(requests).maxRecvWr(requests)
                .build();
        List<QueuePair> queuePairs = new ArrayList<>(count);
        long before = UsedHeap.bytes();
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            queuePairs.add(pd.createQueuePair(attributes));
        }
        long created = System.nanoTime();
        long after = UsedHeap.bytes();
        long closing = System.nanoTime();
        queuePairs.forEach(QueuePair::close);
        long closed = System.nanoTime();
        return new Cost((double) (after - before) / count, (double) (created - start) / count,
                (double) (closed - closing) / count);
    }
}
