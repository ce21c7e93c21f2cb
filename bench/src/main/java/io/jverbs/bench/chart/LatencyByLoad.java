package io.jverbs.bench.chart;

import io.jverbs.bench.chart.Series.Look;
import io.jverbs.bench.chart.Svg.Point;
import io.jverbs.bench.report.Score;
import io.jverbs.bench.report.Text;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.openjdk.jmh.annotations.Mode;

/**
 * The median and the 99th percentile of round trips beside busy loops: a group of rows for each number of loops, each
 * row with a line from one percentile to the other.
 */
final class LatencyByLoad implements Chart {
    private static final List<Series> SERIES = List.of(
            new Series("sendLinux", "jverbs, Linux's sockets", Look.JVERBS_LINUX),
            new Series("sendNio", "jverbs, Java's sockets", Look.JVERBS_NIO),
            new Series("datagrams", "bare datagrams", Look.DATAGRAMS), new Series("tcp", "TCP, polling", Look.TCP),
            new Series("tcpBlocking", "TCP, blocking", Look.TCP_BLOCKING));
    private static final Selection SELECTION = new Selection("busy.BusyLatency",
            SERIES.stream().map(Series::method).toList(), Mode.SampleTime, Map.of("bytes", "64"), "loops",
            List.of("0", "1", "2", "4"));

    private static final int WIDTH = 780;
    private static final int LEFT = 20;
    private static final int NAMES_END = 196;
    private static final int PLOT_LEFT = 262;
    private static final int PLOT_RIGHT = 690;
    private static final int PLOT_TOP = 104;
    private static final int HEADING = 22;
    private static final int ROW = 19;
    private static final int GAP = 12;
    private static final int BELOW = 52;
    /** The distance of a value from the middle of its mark, and of the baseline of a text from its middle. */
    private static final int BESIDE = 10;
    private static final int BASELINE = 4;
    private static final double MARGIN = 1.1;

    @Override
    public String file() {
        return "latency-by-load.svg";
    }

    @Override
    public Selection selection() {
        return SELECTION;
    }

    @Override
    public String draw(Rows rows) {
        int bottom = PLOT_TOP + SELECTION.values().size() * (HEADING + SERIES.size() * ROW + GAP);
        LogScale times = times(rows);
        Svg svg = new Svg(WIDTH, bottom + BELOW, "Round trip of 64 bytes beside busy loops",
                SERIES.stream().map(Series::look).toList());
        svg.text("title", LEFT, 30, "Round trip of 64 bytes beside busy loops");
        svg.text("note", LEFT, 50, "Two processes on one machine, over loopback; each busy loop is assigned to a"
                + " processor. " + rows.rounds() + ".");
        drawKey(svg);
        drawAxis(svg, times, bottom);
        int y = PLOT_TOP;
        for (String loops : SELECTION.values()) {
            svg.text("group", LEFT, y + HEADING - 6, heading(loops));
            y += HEADING;
            for (Series each : SERIES) {
                drawRow(svg, times, y + ROW / 2.0, each, rows.get(each.method(), loops));
                y += ROW;
            }
            y += GAP;
        }
        return svg.end();
    }

    private static LogScale times(Rows rows) {
        double[] all = SERIES.stream().flatMap(each -> rows.of(each.method()).stream())
                .flatMapToDouble(score -> DoubleStream.of(score.nanos(), score.p99())).sorted().toArray();
        return LogScale.around(all[0], all[all.length - 1], MARGIN, PLOT_LEFT, PLOT_RIGHT);
    }

    private static String heading(String loops) {
        return switch (loops) {
            case "0" -> "no busy loop";
            case "1" -> "1 busy loop";
            default -> loops + " busy loops";
        };
    }

    /** Explains the two marks. */
    private static void drawKey(Svg svg) {
        Point p50 = new Point(LEFT + 38, 70);
        Point p99 = new Point(p50.x() + 60, 70);
        svg.line("line solid key", p50, p99);
        svg.mark("hollow key", Look.JVERBS_LINUX, p99);
        svg.mark("mark key", Look.JVERBS_LINUX, p50);
        svg.text("value end", p50.x() - BESIDE, p50.y() + BASELINE, "p50");
        svg.text("value", p99.x() + BESIDE, p99.y() + BASELINE, "p99");
    }

    private static void drawAxis(Svg svg, LogScale times, int bottom) {
        for (double step : times.steps()) {
            svg.line("minor", new Point(times.at(step), PLOT_TOP), new Point(times.at(step), bottom));
        }
        for (double label : times.labels()) {
            double x = times.at(label);
            svg.line("grid", new Point(x, PLOT_TOP), new Point(x, bottom));
            svg.text("tick middle", x, PLOT_TOP - 8, Units.time(label));
            svg.text("tick middle", x, bottom + 16, Units.time(label));
        }
        svg.text("middle", (PLOT_LEFT + PLOT_RIGHT) / 2.0, bottom + 38, "round trip, logarithmic");
    }

    private static void drawRow(Svg svg, LogScale times, double y, Series series, Score score) {
        Point p50 = new Point(times.at(score.nanos()), y);
        Point p99 = new Point(times.at(score.p99()), y);
        String style = series.look().style();
        svg.text("label end " + style, NAMES_END, y + BASELINE, series.label());
        svg.line("line solid " + style, p50, p99);
        svg.mark("hollow", series.look(), p99);
        svg.mark("mark", series.look(), p50);
        svg.text("value end", p50.x() - BESIDE, y + BASELINE, Text.time(score.nanos()));
        svg.text("value", p99.x() + BESIDE, y + BASELINE, Text.time(score.p99()));
    }
}
