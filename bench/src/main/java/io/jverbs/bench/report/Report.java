package io.jverbs.bench.report;

import io.jverbs.bench.suite.Baseline;
import io.jverbs.bench.suite.Benchmarks;
import io.jverbs.bench.suite.Blocking;
import io.jverbs.bench.suite.ControlPath;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Mode;

/** Prints the scores of benchmarks with those of their baselines, the bars, and the benchmarks that allocate. */
public final class Report {
    /** The bytes per operation that are regarded as no allocation; an object has at least 16. */
    private static final double NO_BYTES = 0.5;
    /** The bytes that JMH itself may allocate in an iteration: three times the largest amount that was observed. */
    private static final double OF_JMH = 24 * 1024;
    /** The columns of a line after the name of the benchmark. */
    private static final String COLUMNS = " %9s %9s   %-26s %9s %7s  %-22s %6s%n";
    private static final int NAME_COLUMNS = 38;
    private static final int FULL_NAME_COLUMNS = 48;

    private final List<Score> scores;
    private final List<Bar> bars;

    /** Tells which benchmarks were selected. */
    public interface Selection {
        /** {@return whether a benchmark was selected, by class and method, with this mode and these parameters} */
        boolean includes(String benchmark, Mode mode, Map<String, String> params);
    }

    /**
     * Creates a report.
     *
     * @param scores the scores of benchmarks and baselines
     * @param inJvm whether the device was the software device within the JVM, which some bars are for
     * @param selection the selected benchmarks
     */
    public Report(List<Score> scores, boolean inJvm, Selection selection) {
        this.scores = scores;
        Stream<Bar> all = inJvm
                ? Stream.of(Bars.IN_JVM, Bars.ANY_DEVICE).flatMap(List::stream)
                : Bars.ANY_DEVICE.stream();
        this.bars = all.filter(bar -> selection.includes(bar.benchmark(), bar.mode(), bar.params())).toList();
    }

    /** Prints the report; returns missed bars and allocations. */
    public Verdict print(PrintStream out) {
        Map<String, List<Score>> byClass = new LinkedHashMap<>();
        for (Score score : scores) {
            byClass.computeIfAbsent(type(score), type -> new ArrayList<>()).add(score);
        }
        byClass.values().removeIf(ofClass -> ofClass.stream().allMatch(Report::isBaseline));
        byClass.forEach((type, ofClass) -> printClass(out, type, ofClass));
        printPercentiles(out);
        printProcessorTime(out);
        List<String> missed = printBars(out);
        List<String> allocations = scores.stream().filter(Report::allocates)
                .map(score -> name(score) + " allocates " + bytesInWords(score.bytesPerOp())).toList();
        if (!allocations.isEmpty()) {
            out.println();
            allocations.forEach(out::println);
        }
        return new Verdict(allocations, missed);
    }

    private void printClass(PrintStream out, String type, List<Score> ofClass) {
        int columns = ofClass.stream().mapToInt(score -> label(score).length()).reduce(NAME_COLUMNS, Math::max);
        String line = "  %-" + columns + "s" + COLUMNS;
        out.println();
        out.printf("%-" + (columns + 2) + "s" + COLUMNS, type, "score", "+-", "baseline", "score", "ratio", "bar",
                "B/op");
        for (Score score : ofClass) {
            List<Comparison> comparisons = Comparison.of(score, scores);
            String bytes = isDataPath(score) ? bytes(score) : "";
            if (comparisons.isEmpty() && !isBaseline(score)) {
                out.printf(line, label(score), Text.time(score.nanos()), error(score), "", "", "", "", bytes);
            }
            String name = label(score);
            for (Comparison comparison : comparisons) {
                boolean first = !name.isEmpty();
                out.printf(line, name, first ? Text.time(score.nanos()) : "", first ? error(score) : "",
                        comparison.baselineName(), Text.time(comparison.baseline().nanos()),
                        Text.number(comparison.ratio()), bar(comparison), first ? bytes : "");
                name = "";
            }
        }
    }

    private static String error(Score score) {
        return Double.isNaN(score.error()) ? "-" : Text.time(score.error());
    }

    private static String bytes(Score score) {
        return Double.isNaN(score.bytesPerOp()) ? "-" : String.format(Locale.ROOT, "%.2f", score.bytesPerOp());
    }

    private static String bytesInWords(double bytesPerOp) {
        return Double.isNaN(bytesPerOp) ? "an unknown number of bytes" : Text.number(bytesPerOp) + " B/op";
    }

    private String bar(Comparison comparison) {
        return bars.stream().filter(bar -> bar.concerns(comparison)).map(bar -> bar.show(comparison)).findFirst()
                .orElse("");
    }

    private void printPercentiles(PrintStream out) {
        List<Score> sampled = scores.stream().filter(score -> score.percentiles() != null).toList();
        if (sampled.isEmpty()) {
            return;
        }
        out.printf("%n%-50s %9s %9s %9s %9s %9s%n", "percentiles", "p50", "p90", "p99", "p99.9", "max");
        for (Score score : sampled) {
            out.printf("  %-48s", name(score));
            for (double percentile : score.percentiles()) {
                out.printf(" %9s", Text.time(percentile));
            }
            out.println();
        }
    }

    private void printProcessorTime(PrintStream out) {
        List<Score> measured = scores.stream().filter(score -> score.processorNanos() != null).toList();
        if (measured.isEmpty()) {
            return;
        }
        int columns = measured.stream().mapToInt(score -> name(score).length() + Text.mode(score.mode()).length())
                .reduce(FULL_NAME_COLUMNS, Math::max);
        out.printf("%n%-" + (columns + 2) + "s %9s %9s %9s%n", "processor time per operation", "own", "other", "both");
        for (Score score : measured) {
            double own = score.processorNanos()[0];
            double other = score.processorNanos()[1];
            out.printf("  %-" + columns + "s %9s %9s %9s%n", name(score) + Text.mode(score.mode()), Text.time(own),
                    Text.time(other), Text.time(own + other));
        }
    }

    private List<String> printBars(PrintStream out) {
        List<String> missed = new ArrayList<>();
        if (!bars.isEmpty()) {
            out.printf("%n%-66s %-54s %s%n", "case", "bar", "measured");
        }
        boolean steady = true;
        for (Bar bar : bars) {
            Optional<Comparison> found = scores.stream().flatMap(score -> Comparison.of(score, scores).stream())
                    .filter(bar::concerns).findFirst();
            out.printf("%-66s %-54s %s%n", bar.words(), bar.limit(), found.map(bar::show).orElse("not measured"));
            if (!found.map(bar::holds).orElse(false)) {
                missed.add(bar.words() + ": " + bar.limit());
            }
            steady &= found.map(Comparison::isSteady).orElse(true);
        }
        if (!steady) {
            out.println("?: half of the rounds differ from the median by more than a quarter: measure again");
        }
        return missed;
    }

    /**
     * {@return whether a data path allocates, or may} Unknown in sample mode, where JMH itself allocates for samples.
     */
    private static boolean allocates(Score score) {
        return isDataPath(score) && score.mode() != Mode.SampleTime && !isBlocking(score)
                && !(score.bytesPerOp() <= NO_BYTES + OF_JMH / score.operations());
    }

    private static boolean isDataPath(Score score) {
        Method method = Benchmarks.method(score.benchmark());
        return !isBaseline(score) && !method.isAnnotationPresent(ControlPath.class);
    }

    /** {@return whether threads block} What the JDK allocates then is printed, but it is no failure. */
    private static boolean isBlocking(Score score) {
        return Benchmarks.method(score.benchmark()).isAnnotationPresent(Blocking.class);
    }

    private static boolean isBaseline(Score score) {
        return Benchmarks.method(score.benchmark()).isAnnotationPresent(Baseline.class);
    }

    private static String type(Score score) {
        return score.benchmark().substring(0, score.benchmark().lastIndexOf('.'));
    }

    private static String label(Score score) {
        return score.benchmark().substring(score.benchmark().lastIndexOf('.') + 1) + Text.parameters(score.params())
                + Text.mode(score.mode());
    }

    private static String name(Score score) {
        return score.benchmark() + Text.parameters(score.params());
    }
}
