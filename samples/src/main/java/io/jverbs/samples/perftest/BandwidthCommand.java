package io.jverbs.samples.perftest;

import io.jverbs.QpType;
import io.jverbs.samples.connect.Numbers;
import io.jverbs.samples.perftest.run.Program;
import io.jverbs.samples.perftest.run.Settings;
import io.jverbs.samples.perftest.run.Verb;
import picocli.CommandLine.Option;

/** The bandwidth programs, which keep as many messages in flight as the send queue holds. */
final class BandwidthCommand extends PerftestCommand {
    private static final int ITERATIONS = 1000;
    private static final int ITERATIONS_OF_WRITES = 5000;
    private static final int DEPTH = 128;
    private static final int BYTES = 65_536;
    private static final int MODERATION = 100;
    private static final int MAX_MODERATION = 1024;
    /** Each longer message is signaled, so that the peak bandwidth is not that of a burst. */
    private static final int MODERATED_BYTES = 8192;
    private static final int MAX_LIST = 15_000;

    @Option(names = {"-b", "--bidirectional"}, description = "Both sides send; prints the sum of both directions.")
    private boolean bidirectional;
    @Option(names = {"-l", "--post_list"}, paramLabel = "N", description = "The number of requests posted with one"
            + " call; default 1.")
    private String postList;
    @Option(names = {"-Q", "--cq-mod"}, paramLabel = "N", description = "Signals every Nth send; default 100, 1 for"
            + " messages longer than 8192 bytes, the list length with --post_list.")
    private String moderation;
    @Option(names = "--report_gbits", description = "Prints Gb/s (10^9 bits) instead of MB/s (2^20 bytes, as perftest"
            + " does).")
    private boolean gigabits;

    BandwidthCommand(Program program) {
        super(program);
    }

    @Override
    int mostIterations() {
        return Integer.MAX_VALUE;
    }

    @Override
    int defaultIterations() {
        return program().verb() == Verb.WRITE ? ITERATIONS_OF_WRITES : ITERATIONS;
    }

    @Override
    int defaultDepth() {
        return DEPTH;
    }

    @Override
    int defaultSize(QpType type) {
        return type == QpType.UD ? Settings.SIZE_OF_MTU : BYTES;
    }

    @Override
    int postList() {
        return postList == null ? 1 : Numbers.read("--post_list", postList, 1, MAX_LIST);
    }

    @Override
    int moderation(QpType type, int size, int depth) {
        int list = postList();
        if (moderation != null) {
            int wanted = Numbers.read("--cq-mod", moderation, 1, MAX_MODERATION);
            return Math.min(wanted, depth);
        }
        if (list > 1) {
            return list;
        }
        boolean large = size > MODERATED_BYTES && type != QpType.UD && !allSizes() && !withEvents();
        return large ? 1 : Math.min(MODERATION, depth);
    }

    @Override
    boolean bidirectional() {
        return bidirectional;
    }

    @Override
    boolean gigabits() {
        return gigabits;
    }
}
