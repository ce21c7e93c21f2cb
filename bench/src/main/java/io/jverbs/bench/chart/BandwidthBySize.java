package io.jverbs.bench.chart;

import io.jverbs.bench.chart.Series.Look;
import io.jverbs.bench.chart.Svg.Point;
import io.jverbs.bench.report.Score;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Mode;

/** The bandwidth of messages by their size: a line for each series. */
final class BandwidthBySize implements Chart {
    private static final List<Series> SERIES = List.of(
            new Series("writeLinux", "jverbs, Linux's sockets", Look.JVERBS_LINUX),
            new Series("writeNio", "jverbs, Java's sockets", Look.JVERBS_NIO),
            new Series("datagrams", "bare datagrams", Look.DATAGRAMS), new Series("tcp", "TCP", Look.TCP));
    private static final Selection SELECTION = new Selection("wire.Bandwidth",
            SERIES.stream().map(Series::method).toList(), Mode.AverageTime, Map.of(), "bytes",
            List.of("64", "256", "1024", "4096", "16384", "65536", "262144", "1048576", "4194304"));

    private static final int WIDTH = 780;
    private static final int HEIGHT = 450;
    private static final int LEFT = 20;
    private static final int PLOT_LEFT = 92;
    private static final int PLOT_RIGHT = 546;
    private static final int PLOT_TOP = 98;
    private static final int PLOT_BOTTOM = 386;
    private static final int LABELS = 578;
    private static final int LABEL_HEIGHT = 34;
    private static final int BASELINE = 4;
    private static final int BELOW = 15;
    private static final double MARGIN = 1.05;

    @Override
    public String file() {
        return "bandwidth-by-size.svg";
    }

    @Override
    public Selection selection() {
        return SELECTION;
    }

    @Override
    public String draw(Rows rows) {
        LogScale sizes = new LogScale(bytes(SELECTION.values().getFirst()), bytes(SELECTION.values().getLast()),
                PLOT_LEFT, PLOT_RIGHT);
        double[] all = SERIES.stream().flatMap(each -> rows.of(each.method()).stream())
                .mapToDouble(BandwidthBySize::speed).sorted().toArray();
        LogScale speeds = LogScale.around(all[0], all[all.length - 1], MARGIN, PLOT_BOTTOM, PLOT_TOP);
        Svg svg = new Svg(WIDTH, HEIGHT, "Bandwidth by message size", SERIES.stream().map(Series::look).toList());
        svg.text("title", LEFT, 30, "Bandwidth by message size");
        svg.text("note", LEFT, 50, "Messages in one direction between two processes, over loopback; jverbs: RC WRITE."
                + " Median of " + rows.rounds() + ".");
        drawAxes(svg, sizes, speeds);
        for (Series each : SERIES) {
            List<Point> points = rows.of(each.method()).stream()
                    .map(score -> new Point(sizes.at(bytes(score)), speeds.at(speed(score)))).toList();
            svg.lines("line " + each.look().style(), points);
            points.forEach(point -> svg.mark("mark", each.look(), point));
        }
        drawLabels(svg, rows, speeds);
        return svg.end();
    }

    private static long bytes(String value) {
        return Long.parseLong(value);
    }

    private static long bytes(Score score) {
        return bytes(score.params().get("bytes"));
    }

    /** {@return the bytes per nanosecond} */
    private static double speed(Score score) {
        return bytes(score) / score.nanos();
    }

    private static void drawAxes(Svg svg, LogScale sizes, LogScale speeds) {
        for (double step : speeds.steps()) {
            svg.line("minor", new Point(PLOT_LEFT, speeds.at(step)), new Point(PLOT_RIGHT, speeds.at(step)));
        }
        for (double label : speeds.labels()) {
            double y = speeds.at(label);
            svg.line("grid", new Point(PLOT_LEFT, y), new Point(PLOT_RIGHT, y));
            svg.text("tick end", PLOT_LEFT - 10, y + BASELINE, Units.roundSpeed(label));
        }
        for (String value : SELECTION.values()) {
            double x = sizes.at(bytes(value));
            svg.line("minor", new Point(x, PLOT_TOP), new Point(x, PLOT_BOTTOM));
            svg.text("tick middle", x, PLOT_BOTTOM + 20, Units.size(bytes(value)));
        }
        svg.text("", LEFT, PLOT_TOP - 14, "bandwidth, logarithmic");
        svg.text("middle", (PLOT_LEFT + PLOT_RIGHT) / 2.0, PLOT_BOTTOM + 46, "message size, logarithmic");
    }

    /** Adds the names of the series beside their last points, with the bandwidth there. */
    private static void drawLabels(Svg svg, Rows rows, LogScale speeds) {
        List<Double> lastSpeeds = new ArrayList<>();
        SERIES.forEach(each -> lastSpeeds.add(speed(rows.of(each.method()).getLast())));
        List<Double> ends = lastSpeeds.stream().map(speeds::at).toList();
        List<Double> places = Labels.apart(ends, LABEL_HEIGHT, PLOT_TOP, PLOT_BOTTOM);
        for (int i = 0; i < SERIES.size(); i++) {
            Series each = SERIES.get(i);
            svg.line("leader " + each.look().style(), new Point(PLOT_RIGHT + 8, ends.get(i)),
                    new Point(LABELS - 4, places.get(i)));
            svg.text("label " + each.look().style(), LABELS, places.get(i) + BASELINE, each.label());
            svg.text("value", LABELS, places.get(i) + BASELINE + BELOW, Units.speed(lastSpeeds.get(i)));
        }
    }
}
