package io.jverbs.samples.perftest.run;

import io.jverbs.samples.console.SampleFailure;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.text.NumberFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Plots the results and the baseline by message size to a file. Not thread-safe. */
public final class Plot {
    static final int WIDTH = 1000;
    static final int HEIGHT = 650;

    private static final double BYTES_PER_MB = 1 << 20;
    private static final double BYTES_PER_GB = 125e6;

    private final Settings settings;
    private final String title;
    private final String baseline;
    private final List<Integer> sizes = new ArrayList<>();
    private final List<Rounds.Outcome> outcomes = new ArrayList<>();
    private final List<Double> baselines = new ArrayList<>();

    /**
     * Creates an empty plot.
     *
     * @param settings the options
     * @param title the title
     * @param baseline the legend of the baseline
     */
    public Plot(Settings settings, String title, String baseline) {
        this.settings = settings;
        this.title = title;
        this.baseline = baseline;
    }

    /** {@return whether the name of a file has the suffix of a supported format} */
    public static boolean isSupported(Path file) {
        return isSvg(file) || file.toString().endsWith(".png");
    }

    private static boolean isSvg(Path file) {
        return file.toString().endsWith(".svg");
    }

    /** Adds the outcome of a size and its baseline, NaN if that was not measured. */
    public void add(int size, Rounds.Outcome outcome, double reference) {
        sizes.add(size);
        outcomes.add(outcome);
        baselines.add(reference);
    }

    /**
     * Writes the file.
     *
     * @throws SampleFailure if the file cannot be written
     */
    public void save() {
        // AWT must not connect to a display.
        System.setProperty("java.awt.headless", "true");
        try {
            String name = settings.plot().toString();
            if (isSvg(settings.plot())) {
                VectorGraphicsEncoder.saveVectorGraphic(chart(), name, VectorGraphicsFormat.SVG);
            } else {
                BitmapEncoder.saveBitmap(chart(), name, BitmapFormat.PNG);
            }
        } catch (IOException e) {
            throw new SampleFailure("the plot cannot be written to " + settings.plot() + ": " + e.getMessage() + ".");
        }
    }

    private XYChart chart() {
        String unit = settings.gigabits() ? "Gb/s" : "MB/s (2^20 bytes)";
        XYChart chart = new XYChartBuilder().width(WIDTH).height(HEIGHT).title(title).xAxisTitle("message size, bytes")
                .yAxisTitle(settings.latency() ? "latency, us" : "bandwidth, " + unit).build();
        chart.getStyler().setXAxisMin(sizes.getFirst() / 2.0).setXAxisMax(sizes.getLast() * 2.0)
                .setXAxisLogarithmic(true).setYAxisLogarithmic(true)
                .setxAxisTickLabelsFormattingFunction(Plot::plain).setyAxisTickLabelsFormattingFunction(Plot::plain)
                .setLegendPosition(LegendPosition.OutsideS).setLegendLayout(LegendLayout.Horizontal)
                .setChartBackgroundColor(Color.WHITE);
        if (settings.latency()) {
            line(chart, "t_typical", outcomes.stream().map(outcome -> outcome.latency().typical()).toList());
            line(chart, "99 %", outcomes.stream().map(outcome -> outcome.latency().percentile99()).toList());
            line(chart, baseline, baselines);
        } else {
            double bytes = settings.gigabits() ? BYTES_PER_GB : BYTES_PER_MB;
            line(chart, "BW average", outcomes.stream().map(outcome -> outcome.bandwidth().average() / bytes).toList());
            line(chart, baseline, baselines.stream().map(value -> value / bytes).toList());
        }
        return chart;
    }

    /** {@return a power of ten as a decimal number} */
    private static String plain(double value) {
        return NumberFormat.getInstance(Locale.ROOT).format(value);
    }

    /** Adds a series. Sizes without a positive value are left out. */
    private void line(XYChart chart, String name, List<Double> values) {
        List<Integer> x = new ArrayList<>();
        List<Double> y = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            if (values.get(i) > 0) {
                x.add(sizes.get(i));
                y.add(values.get(i));
            }
        }
        if (!x.isEmpty()) {
            chart.addSeries(name, x, y).setMarker(SeriesMarkers.CIRCLE);
        }
    }
}
