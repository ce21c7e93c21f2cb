package io.jverbs.bench.chart;

import io.jverbs.bench.suite.Benchmarks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.openjdk.jmh.annotations.Mode;

/**
 * The results of a chart: each of the methods with each of the values.
 *
 * @param type the class of the benchmarks, without the common packages
 * @param methods the methods
 * @param mode the mode
 * @param fixed the parameters that have one value
 * @param varied the parameter that has several values
 * @param values the values of that parameter
 */
public record Selection(String type, List<String> methods, Mode mode, Map<String, String> fixed, String varied,
        List<String> values) {

    /** {@return the arguments of {@code bench/run} that select these benchmarks, modes and parameters and no others} */
    public List<String> arguments() {
        List<String> arguments = new ArrayList<>(List.of("-bm", mode.shortLabel()));
        new TreeMap<>(fixed).forEach((name, value) -> arguments.addAll(List.of("-p", name + "=" + value)));
        arguments.addAll(List.of("-p", varied + "=" + String.join(",", values)));
        arguments.add("^" + Pattern.quote(Benchmarks.fullName(type) + ".") + methods.stream().map(Pattern::quote)
                .collect(Collectors.joining("|", "(", ")$")));
        return arguments;
    }

    /** {@return the class and method of a benchmark, without the common packages} */
    String benchmark(String method) {
        return type + "." + method;
    }

    /** {@return the parameters of a benchmark} */
    Map<String, String> params(String value) {
        Map<String, String> params = new TreeMap<>(fixed);
        params.put(varied, value);
        return params;
    }
}
