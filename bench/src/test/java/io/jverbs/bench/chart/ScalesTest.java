package io.jverbs.bench.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Axes, their labels, and the places of labels. */
class ScalesTest {
    private static final double EXACT = 1e-9;

    @ParameterizedTest
    @CsvSource({"1.1, 9, 1, 10", "9000, 11e6, 5000, 2e7", "0.04, 7.2, 0.02, 10", "1000, 1000, 500, 2000",
        "1, 10, 0.5, 20", "1.06, 9.5, 1, 10"})
    void anAxisEndsAtRoundNumbersAroundTheValues(double least, double most, double low, double high) {
        LogScale scale = LogScale.around(least, most, 1.05, 0, 100);

        assertEquals(low, scale.low(), low * EXACT);
        assertEquals(high, scale.high(), high * EXACT);
    }

    @Test
    void aFactorHasTheSameLengthEverywhere() {
        LogScale scale = new LogScale(1, 100, 200, 0);

        assertEquals(200, scale.at(1), EXACT);
        assertEquals(100, scale.at(10), EXACT);
        assertEquals(0, scale.at(100), EXACT);
    }

    @Test
    void thePowersOfTenAreLabelledOrAllStepsIfThereIsOnlyOne() {
        assertEquals(List.of(10.0, 100.0), round(new LogScale(5, 200, 0, 1).labels()));
        assertEquals(List.of(5.0, 10.0, 20.0, 50.0, 100.0, 200.0), round(new LogScale(5, 200, 0, 1).steps()));
        assertEquals(List.of(5.0, 10.0, 20.0, 50.0), round(new LogScale(5, 50, 0, 1).labels()));
        assertEquals(List.of(0.01, 0.1), round(new LogScale(0.01, 0.5, 0, 1).labels()));
    }

    private static List<Double> round(List<Double> values) {
        return values.stream().map(value -> Math.round(value * 1000) / 1000.0).toList();
    }

    @Test
    void labelsKeepTheirDistanceAndStayInTheRange() {
        assertEquals(List.of(50.0, 20.0, 80.0), Labels.apart(List.of(50.0, 20.0, 80.0), 10, 0, 100));
        assertEquals(List.of(50.0, 60.0, 70.0), Labels.apart(List.of(50.0, 51.0, 52.0), 10, 0, 100));
        assertEquals(List.of(90.0, 80.0, 100.0), Labels.apart(List.of(97.0, 96.0, 99.0), 10, 0, 100));
        assertEquals(List.of(0.0, 10.0), Labels.apart(List.of(0.0, 0.0), 10, 0, 100));
    }

    @Test
    void numbersHaveUnits() {
        assertEquals(List.of("5 ns", "1 us", "200 us", "1 ms", "20 ms", "5 s", "2000 s"),
                Arrays.stream(new double[] {5, 999.9999999999, 2e5, 1e6, 2e7, 5e9, 2e12}).mapToObj(Units::time)
                        .toList());
        assertEquals(List.of("64 B", "1 KiB", "1500 B", "64 KiB", "4 MiB", "1 GiB", "2048 GiB"),
                Arrays.stream(new long[] {64, 1024, 1500, 65536, 4 << 20, 1 << 30, 1L << 41}).mapToObj(Units::size)
                        .toList());
        assertEquals(List.of("1 MB/s", "500 MB/s", "1 GB/s", "20 GB/s"),
                Arrays.stream(new double[] {0.001, 0.5, 1, 20}).mapToObj(Units::roundSpeed).toList());
        assertEquals(List.of("7.2 MB/s", "71 MB/s", "778 MB/s", "3.8 GB/s", "12 GB/s"),
                Arrays.stream(new double[] {0.0072, 0.071, 0.7781, 3.81, 12.2}).mapToObj(Units::speed).toList());
    }
}
