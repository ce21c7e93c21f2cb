package io.jverbs.bench.program;

import io.jverbs.bench.report.Score;
import io.jverbs.bench.report.Text;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.format.OutputFormat;

/** Prints one line for each run of a benchmark, with its score as in the report. Passes errors of benchmarks on. */
final class Progress implements OutputFormat {
    private final PrintStream err;
    private final boolean verbose;
    private final int forks;
    private final long start = System.nanoTime();
    private final List<String> failed = new ArrayList<>();
    private String group;
    private int round;
    private int rounds;
    private int done;
    private String running;
    private int iterations;

    Progress(PrintStream err, boolean verbose, int forks) {
        this.err = err;
        this.verbose = verbose;
        this.forks = forks;
    }

    void round(String name, int number, int of) {
        group = name;
        round = number;
        rounds = of;
    }

    /** Called after the last benchmark; returns those that failed. */
    List<String> end() {
        endFailed();
        return failed;
    }

    /** JMH does not end a benchmark in this JVM (-f 0) that throws before its first iteration is complete. */
    private void endFailed() {
        if (running != null) {
            endBenchmark(null);
        }
    }

    @Override
    public void startBenchmark(BenchmarkParams params) {
        endFailed();
        done++;
        running = Text.name(params);
        iterations = params.getMeasurement().getCount();
        long seconds = (System.nanoTime() - start) / 1_000_000_000;
        err.printf("[%3d/%d %3d:%02d] %-60s ", done, forks, seconds / 60, seconds % 60,
                running + (rounds > 1 ? ", round " + round + "/" + rounds : ""));
        err.flush();
    }

    @Override
    public void endBenchmark(BenchmarkResult result) {
        // JMH passes a partial result if an iteration or a tear-down throws
        if (result == null || result.getIterationResults().size() < iterations) {
            failed.add(running);
            err.println(" failed");
        } else {
            err.println(Text.time(Score.ofRound(result, result.getParams())));
        }
        running = null;
    }

    @Override
    public void println(String line) {
        // lines of JMH itself begin with #
        if (verbose || !line.isBlank() && !line.startsWith("#")) {
            err.println(line);
        }
    }

    @Override
    public void verbosePrintln(String line) {
        if (verbose) {
            err.println(line);
        }
    }

    @Override
    public void print(String text) {
        if (verbose) {
            err.print(text);
        }
    }

    @Override
    public void write(int b) {
        err.write(b);
    }

    @Override
    public void write(byte[] b) {
        err.write(b, 0, b.length);
    }

    @Override
    public void iteration(BenchmarkParams params, IterationParams iteration, int number) {
        // not shown: forks are short
    }

    @Override
    public void iterationResult(BenchmarkParams params, IterationParams iteration, int number,
            IterationResult result) {
        if (verbose) {
            err.printf(" %s", result.getPrimaryResult());
        }
    }

    @Override
    public void startRun() {
        if (verbose) {
            err.printf("%s, round %d of %d%n", group, round, rounds);
        }
    }

    @Override
    public void endRun(Collection<RunResult> results) {
        // the report is printed at the end
    }

    @Override
    public void flush() {
        err.flush();
    }

    @Override
    public void close() {
        err.flush();
    }
}
