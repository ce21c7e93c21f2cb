package io.jverbs.bench.program;

import io.jverbs.bench.suite.Allowed;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A parameter of a benchmark.
 *
 * @param name its name
 * @param values the values that it has if none are given
 * @param range the integers that it may have; null if only those values are allowed
 */
record Parameter(String name, List<String> values, Allowed range) {

    /**
     * {@return a parameter}
     *
     * @param type the class of the benchmark, which has the field of the parameter, or else its arguments have it
     * @param benchmark the method of the benchmark, which a superclass may declare
     * @param name its name
     * @param values the values that it has if none are given
     */
    static Parameter of(Class<?> type, Method benchmark, String name, String... values) {
        List<Class<?>> states = new ArrayList<>(List.of(benchmark.getParameterTypes()));
        states.add(type);
        Allowed range = states.stream().flatMap(state -> Arrays.stream(state.getFields()))
                .filter(field -> field.getName().equals(name)).findFirst().map(Parameter::range).orElse(null);
        return new Parameter(name, List.of(values), range);
    }

    private static Allowed range(Field field) {
        return field.getAnnotation(Allowed.class);
    }

    boolean allows(String value) {
        if (range == null) {
            return values.contains(value);
        }
        try {
            int number = Integer.parseInt(value);
            return number >= range.min() && number <= range.max();
        } catch (NumberFormatException e) {
            return false;
        }
    }

    /** {@return what is allowed, as the end of a sentence} */
    String allowed() {
        return range == null
                ? "allowed are " + String.join(", ", values)
                : "allowed are integers from " + range.min() + " to " + range.max();
    }

    /** {@return the parameters of the same name} */
    static List<Parameter> named(String name, List<Parameter> all) {
        return all.stream().filter(each -> each.name.equals(name)).toList();
    }

    static Stream<String> names(List<Parameter> all) {
        return all.stream().map(Parameter::name).sorted().distinct();
    }
}
