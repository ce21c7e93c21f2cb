package io.jverbs.bench.program;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.WorkloadParams;
import org.openjdk.jmh.runner.options.Options;

/**
 * Runs groups in rounds of one fork of every benchmark, so that temporary load on the machine affects a benchmark and
 * its baseline alike.
 */
final class Rounds {
    private final PrintStream err;
    private final boolean verbose;
    private final Map<String, List<RunResult>> results = new LinkedHashMap<>();
    private final Map<String, String> skipped = new LinkedHashMap<>();
    private final List<String> failed = new ArrayList<>();

    Rounds(PrintStream err, boolean verbose) {
        this.err = err;
        this.verbose = verbose;
    }

    /** Runs groups one after the other. Passes the results so far to a sink after each group. */
    void run(List<Group> groups, Results sink) throws RunnerException, java.io.IOException {
        List<Group> possible = groups.stream().map(group -> group.possible(skipped))
                .filter(group -> !group.isEmpty()).toList();
        skipped.forEach((name, why) -> err.println(name + " is skipped: " + why));
        Progress progress = new Progress(err, verbose,
                possible.stream().mapToInt(group -> group.rounds() * group.forksOfRound()).sum());
        for (Group group : possible) {
            for (int round = 1; round <= group.rounds(); round++) {
                progress.round(group.name(), round, group.rounds());
                for (Options part : group.options()) {
                    new Runner(part, progress).run().forEach(this::add);
                }
            }
            sink.accept(results());
        }
        failed.addAll(progress.end());
    }

    /** A consumer of results. */
    interface Results {
        void accept(Collection<RunResult> results) throws java.io.IOException;
    }

    private void add(RunResult result) {
        results.computeIfAbsent(result.getParams().id(), id -> new ArrayList<>()).add(result);
    }

    /** {@return a result for each benchmark, with the forks of all rounds} */
    List<RunResult> results() {
        return results.values().stream().map(Rounds::merge).toList();
    }

    private static RunResult merge(List<RunResult> rounds) {
        List<BenchmarkResult> forks = rounds.stream().flatMap(round -> round.getBenchmarkResults().stream()).toList();
        return new RunResult(withForks(rounds.getFirst().getParams(), forks.size()), forks);
    }

    private static BenchmarkParams withForks(BenchmarkParams p, int forks) {
        WorkloadParams params = new WorkloadParams();
        for (String key : p.getParamsKeys()) {
            params.put(key, p.getParam(key), 0);
        }
        return new BenchmarkParams(p.getBenchmark(), p.generatedBenchmark(), p.shouldSynchIterations(),
                p.getThreads(), p.getThreadGroups(), p.getThreadGroupLabels(), forks, p.getWarmupForks(),
                p.getWarmup(), p.getMeasurement(), p.getMode(), params, p.getTimeUnit(), p.getOpsPerInvocation(),
                p.getJvm(), p.getJvmArgs(), p.getJdkVersion(), p.getVmName(), p.getVmVersion(), p.getJmhVersion(),
                p.getTimeout());
    }

    /** {@return the benchmarks that this machine cannot run, with the reasons} */
    Map<String, String> skipped() {
        return skipped;
    }

    /** {@return the benchmarks that failed} */
    List<String> failed() {
        return failed;
    }
}
