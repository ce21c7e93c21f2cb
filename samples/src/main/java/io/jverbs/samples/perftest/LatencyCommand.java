package io.jverbs.samples.perftest;

import io.jverbs.QpType;

/** The programs that time each message. */
final class LatencyCommand extends PerftestCommand {
    /** Each one's time is kept, and they are sorted. */
    private static final int MOST_ITERATIONS = 20_000_000;
    private static final int ITERATIONS = 1000;
    private static final int BYTES = 2;

    LatencyCommand(Program program) {
        super(program);
    }

    @Override
    int mostIterations() {
        return MOST_ITERATIONS;
    }

    @Override
    int defaultIterations() {
        return ITERATIONS;
    }

    @Override
    int defaultDepth() {
        return 1;
    }

    @Override
    int defaultSize(QpType type) {
        return BYTES;
    }

    @Override
    int moderation(QpType type, int size, int depth) {
        return 1;
    }
}
