package io.jverbs.samples.perftest;

import io.jverbs.QpType;
import io.jverbs.samples.perftest.run.Program;

/** The latency programs, which time each message. */
final class LatencyCommand extends PerftestCommand {
    /** The time of each iteration is kept in memory. */
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
