package io.jverbs.bench.chart;

import java.util.List;
import java.util.Locale;

/**
 * Writes an SVG picture, with a background and a style sheet for light and dark pages. It has a background of its own,
 * because a page can be dark while the picture is drawn as for a light one. Lines have at most 120 columns. Not
 * thread-safe.
 */
final class Svg {
    /** The columns after which a line is broken, less than 120 by the end of an element. */
    private static final int MAX_COLUMNS = 110;
    private static final String STYLE = """
            text { font: 13px -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328; }
            .title { font-size: 16px; font-weight: 600; }
            .note, .tick, .value { font-size: 12px; fill: #57606a; }
            .group { font-weight: 600; }
            .middle { text-anchor: middle; }
            .end { text-anchor: end; }
            .back { fill: #ffffff; stroke: #d0d7de; }
            .grid { stroke: #d0d7de; }
            .minor { stroke: #eaeef2; }
            .line { fill: none; stroke: currentColor; stroke-width: 2; }
            .leader { stroke: currentColor; }
            .mark { fill: currentColor; stroke: #ffffff; }
            .hollow { fill: #ffffff; stroke: currentColor; stroke-width: 2; }
            .label { fill: currentColor; font-weight: 600; }
            .key { color: #57606a; }
            """;
    private static final String DARK = """
            text { fill: #e6edf3; }
            .note, .tick, .value { fill: #9ea7b3; }
            .back { fill: #0d1117; stroke: #3d444d; }
            .grid { stroke: #3d444d; }
            .minor { stroke: #21262d; }
            .mark { stroke: #0d1117; }
            .hollow { fill: #0d1117; }
            .label { fill: currentColor; }
            .key { color: #9ea7b3; }
            """;

    private final StringBuilder out = new StringBuilder();

    /** A position in the picture. */
    record Point(double x, double y) {}

    /**
     * Begins a picture.
     *
     * @param width its width in pixels
     * @param height its height in pixels
     * @param title what it shows
     * @param looks the colours that it uses
     */
    Svg(int width, int height, String title, List<Series.Look> looks) {
        out.append("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ").append(width).append(' ').append(height)
                .append("\" width=\"").append(width).append("\" height=\"").append(height)
                .append("\" role=\"img\"\n     aria-label=\"").append(escaped(title)).append("\">\n  <title>")
                .append(escaped(title)).append("</title>\n  <desc>Written by bench/run --charts</desc>\n  <style>\n");
        out.append(STYLE.indent(4));
        looks.forEach(look -> out.append("    .").append(look.style()).append(" { color: ").append(look.light())
                .append("; stroke-dasharray: ").append(look.dashes().isEmpty() ? "none" : look.dashes())
                .append("; }\n"));
        out.append("    .leader, .mark, .hollow, .solid { stroke-dasharray: none; }\n"
                + "    @media (prefers-color-scheme: dark) {\n");
        out.append(DARK.indent(6));
        looks.forEach(look -> out.append("      .").append(look.style()).append(" { color: ").append(look.dark())
                .append("; }\n"));
        out.append("    }\n  </style>\n");
        out.append("  <rect class=\"back\" x=\"0.5\" y=\"0.5\" width=\"").append(width - 1).append("\" height=\"")
                .append(height - 1).append("\" rx=\"6\"/>\n");
    }

    /** Adds a text. Its classes determine its size, colour and alignment. */
    void text(String classes, double x, double y, String text) {
        String start = "  <text class=\"" + classes + "\" x=\"" + number(x) + "\" y=\"" + number(y) + "\"";
        boolean wide = start.length() + text.length() > MAX_COLUMNS;
        out.append(start).append(wide ? "\n    >" : ">").append(escaped(text)).append("</text>\n");
    }

    /** Adds a straight line. */
    void line(String classes, Point from, Point to) {
        out.append("  <path class=\"").append(classes).append("\" d=\"M").append(pair(from)).append('L')
                .append(pair(to)).append("\"/>\n");
    }

    /** Adds a line through points. */
    void lines(String classes, List<Point> points) {
        String start = "  <path class=\"" + classes + "\" d=\"";
        out.append(start);
        int columns = start.length();
        for (int i = 0; i < points.size(); i++) {
            String next = (i == 0 ? "M" : "L") + pair(points.get(i));
            if (columns + next.length() > MAX_COLUMNS) {
                out.append("\n    ");
                columns = 0;
            }
            out.append(next);
            columns += next.length();
        }
        out.append("\"/>\n");
    }

    /** Adds a mark. */
    void mark(String classes, Series.Look look, Point at) {
        out.append("  <path class=\"").append(classes).append(' ').append(look.style())
                .append("\" transform=\"translate(")
                .append(pair(at)).append(")\" d=\"").append(look.mark()).append("\"/>\n");
    }

    /** {@return the text of the picture} */
    String end() {
        return out.append("</svg>\n").toString();
    }

    private static String pair(Point point) {
        return number(point.x()) + " " + number(point.y());
    }

    private static String number(double coordinate) {
        return String.format(Locale.ROOT, "%.1f", coordinate).replaceFirst("\\.0$", "");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }
}
