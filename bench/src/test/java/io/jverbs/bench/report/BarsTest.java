package io.jverbs.bench.report;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.bench.suite.Against;
import io.jverbs.bench.suite.Benchmarks;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BarsTest {
    static Stream<Bar> bars() {
        return Stream.concat(Bars.IN_JVM.stream(), Bars.ANY_DEVICE.stream());
    }

    @ParameterizedTest
    @MethodSource("bars")
    void everyBarIsAboutABenchmarkThatStandsBesideThatBaseline(Bar bar) {
        assertTrue(Arrays.stream(Benchmarks.method(bar.benchmark()).getAnnotationsByType(Against.class))
                .anyMatch(against -> against.value().equals(bar.baseline())), bar.toString());
    }
}
