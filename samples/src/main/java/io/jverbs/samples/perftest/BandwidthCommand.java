package io.jverbs.samples.perftest;

import io.jverbs.QpType;
import io.jverbs.samples.connect.Numbers;
import picocli.CommandLine.Option;

/** The programs that keep as much under way as there may be. */
final class BandwidthCommand extends PerftestCommand {
    private static final int ITERATIONS = 1000;
    private static final int ITERATIONS_OF_WRITES = 5000;
    private static final int DEPTH = 128;
    private static final int BYTES = 65_536;
    private static final int MODERATION = 100;
    private static final int MAX_MODERATION = 1024;
    /** Of longer messages each one is signaled, so that the peak is not that of a burst. */
    private static final int MODERATED_BYTES = 8192;
    private static final int MAX_LIST = 15_000;

    @Option(names = {"-b", "--bidirectional"}, description = "Both sides send; the sum is shown.")
    private boolean bidirectional;
    @Option(names = {"-l", "--post_list"}, paramLabel = "N", description = "Post so many requests with one call; 1.")
    private String postList;
    @Option(names = {"-Q", "--cq-mod"}, paramLabel = "N", description = "Have every Nth send signaled; 100, for more"
            + " than 8192 bytes 1, with lists the length of the list.")
    private String moderation;
    @Option(names = "--report_gbits", description = "Show Gb/s (10^9 bits); without it MB/s, which are 2^20 bytes as"
            + " with perftest.")
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
