package io.jverbs.bench;

import java.net.URI;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Runs {@link NativeBenchmark} and judges it: exit status 1 if a verb called as a critical function through the API costs
 * over 5 ns more than in C, or if any allocates. Arguments are those of JMH.
 */
public final class NativeAgainstC {
    private static final double MOST_NANOSECONDS_MORE = 5;
    /** What JMH itself allocates, in C too, is a hundredth of a byte per call; an object has at least 16. */
    private static final double NO_BYTES = 0.1;
    private static final List<String> JUDGED = List.of("postSend", "pollEmpty", "pollOne");

    private NativeAgainstC() {}

    /** The median of all iterations of all forks. */
    private record Cost(double nanoseconds, double bytes) {
        @SuppressWarnings("rawtypes") // JMH's map of secondary results is
        static Cost of(RunResult result) {
            double bytes = result.getSecondaryResults().entrySet().stream()
                    .filter(entry -> entry.getKey().endsWith("gc.alloc.rate.norm"))
                    .mapToDouble(entry -> entry.getValue().getStatistics().getMean()).sum();
            return new Cost(median(result), bytes);
        }

        private static double median(RunResult result) {
            double[] all = result.getBenchmarkResults().stream().flatMap(fork -> fork.getIterationResults().stream())
                    .mapToDouble(iteration -> iteration.getPrimaryResult().getScore()).sorted().toArray();
            return (all[all.length / 2] + all[(all.length - 1) / 2]) / 2;
        }
    }

    /**
     * Runs and judges.
     *
     * @param args as JMH's
     * @throws RunnerException if JMH cannot run it
     * @throws CommandLineOptionException if JMH does not know an argument
     */
    public static void main(String[] args) throws RunnerException, CommandLineOptionException {
        Collection<RunResult> results = new Runner(new OptionsBuilder().parent(new CommandLineOptions(args))
                .include(NativeBenchmark.class.getName() + ".*").addProfiler(GCProfiler.class)
                .resultFormat(ResultFormatType.JSON).result(besideJar("native-against-c.json")).build()).run();
        Map<String, Cost> costs = results.stream()
                .collect(Collectors.toMap(result -> name(result.getParams()), Cost::of, (a, b) -> b, TreeMap::new));
        System.exit(report(costs) ? 0 : 1);
    }

    private static String besideJar(String name) {
        URI jar = URI.create(NativeAgainstC.class.getProtectionDomain().getCodeSource().getLocation().toString());
        return Path.of(jar).resolveSibling(name).toString();
    }

    /** As "pollOne_api critical". */
    private static String name(BenchmarkParams params) {
        String method = params.getBenchmark().substring(params.getBenchmark().lastIndexOf('.') + 1);
        return params.getParam("handles") == null ? method : method + " " + params.getParam("handles");
    }

    private static boolean report(Map<String, Cost> costs) {
        boolean good = true;
        System.out.printf("%n%-28s %8s %8s %10s%n", "median of all iterations", "ns/call", "over C", "bytes/call");
        for (Map.Entry<String, Cost> entry : costs.entrySet()) {
            String verb = entry.getKey().substring(0, entry.getKey().indexOf('_'));
            Cost cost = entry.getValue();
            double more = cost.nanoseconds - costs.get(verb + "_c").nanoseconds;
            boolean judged = JUDGED.contains(verb) && entry.getKey().endsWith("_api critical");
            boolean tooSlow = judged && more > MOST_NANOSECONDS_MORE;
            boolean allocates = cost.bytes > NO_BYTES;
            good &= !tooSlow && !allocates;
            System.out.printf(Locale.ROOT, "%-28s %8.2f %8.2f %10.4f%s%n", entry.getKey(), cost.nanoseconds, more,
                    cost.bytes, tooSlow ? "  too slow" : allocates ? "  allocates" : judged ? "  good" : "");
        }
        return good;
    }
}
