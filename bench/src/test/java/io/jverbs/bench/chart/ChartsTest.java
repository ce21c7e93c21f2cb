package io.jverbs.bench.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.bench.chart.ResultFiles.Made;
import io.jverbs.bench.report.SavedResults;
import io.jverbs.bench.report.Score;
import io.jverbs.bench.report.UnusableResultsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.annotations.Mode;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The charts of made-up results. */
class ChartsTest {
    private static final String LATENCY = "latency-by-load.svg";
    private static final String BANDWIDTH = "bandwidth-by-size.svg";
    /** The width of a letter in pixels, at most: that of a wide font in bold. */
    private static final int LETTER = 8;
    private static final int MAX_COLUMNS = 120;

    @TempDir
    Path folder;

    private List<Score> scores(Predicate<Made> included) throws IOException {
        return SavedResults.read(Files.writeString(folder.resolve("results.json"), ResultFiles.json(included)));
    }

    private Element draw(String name) throws Exception {
        List<Path> files = Charts.write(folder, scores(made -> true));
        assertEquals(List.of(folder.resolve(LATENCY), folder.resolve(BANDWIDTH)), files);
        Element root = DocumentBuilderFactory.newNSInstance().newDocumentBuilder()
                .parse(folder.resolve(name).toFile()).getDocumentElement();
        assertEquals("svg", root.getLocalName());
        assertEquals("http://www.w3.org/2000/svg", root.getNamespaceURI());
        return root;
    }

    private static List<Element> elements(Element root, String tag) {
        NodeList found = root.getElementsByTagName(tag);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < found.getLength(); i++) {
            elements.add((Element) found.item(i));
        }
        return elements;
    }

    /** {@return the elements with a class} */
    private static List<Element> ofClass(Element root, String tag, String name) {
        return elements(root, tag).stream()
                .filter(each -> List.of(each.getAttribute("class").split(" ")).contains(name))
                .toList();
    }

    private static List<String> texts(Element root) {
        return elements(root, "text").stream().map(Element::getTextContent).toList();
    }

    /** {@return the coordinates of the marks of a series, horizontal or vertical} */
    private static double[] marks(Element root, String kind, String series, int axis) {
        return ofClass(root, "path", kind).stream()
                .filter(each -> List.of(each.getAttribute("class").split(" ")).contains(series))
                .filter(each -> !each.getAttribute("class").contains("key"))
                .mapToDouble(each -> Double.parseDouble(
                        each.getAttribute("transform").replaceAll("translate\\(|\\)", "").split(" ")[axis]))
                .toArray();
    }

    private static void assertTexts(Element root, String... expected) {
        assertTrue(texts(root).containsAll(List.of(expected)), texts(root)::toString);
    }

    @Test
    void latencyHasBothPercentilesOfEachSeriesBesideEachNumberOfLoops() throws Exception {
        Element root = draw(LATENCY);

        for (String series : List.of("jverbs-linux", "jverbs-nio", "datagrams", "tcp", "tcp-blocking")) {
            assertEquals(4, marks(root, "mark", series, 0).length, series);
            assertEquals(4, marks(root, "hollow", series, 0).length, series);
            assertEquals(4, ofClass(root, "text", series).size(), series);
        }
        assertTexts(root, "p50", "p99", "no busy loop", "1 busy loop", "2 busy loops", "4 busy loops",
                "jverbs, Linux's sockets", "jverbs, Java's sockets", "bare datagrams", "TCP, polling", "TCP, blocking",
                "round trip, logarithmic", "10 us", "100 us");
        assertTrue(texts(root).stream().anyMatch(text -> text.endsWith(" 2 rounds.")), "the number of rounds");
    }

    @Test
    void aMarkOfLatencyIsAtItsTime() throws Exception {
        Element root = draw(LATENCY);

        assertTexts(root, "1.00 us", "10.0 us", "35.0 us", "350 us");
        double[] p50 = marks(root, "mark", "jverbs-linux", 0);
        double[] p99 = marks(root, "hollow", "jverbs-linux", 0);
        double decade = p99[0] - p50[0];
        assertEquals(decade, p99[3] - p50[3], 0.2, "one decade, as each p99 is ten times the p50");
        // 1, 11, 21 and 31 us
        assertEquals(decade * Math.log10(31), p50[3] - p50[0], 0.2);
        assertTrue(p50[0] < p50[1] && p50[1] < p50[2] && p50[2] < p50[3]);
    }

    @Test
    void bandwidthHasAPointOfEachSeriesForEachSize() throws Exception {
        Element root = draw(BANDWIDTH);

        for (String series : List.of("jverbs-linux", "jverbs-nio", "datagrams", "tcp")) {
            assertEquals(9, marks(root, "mark", series, 0).length, series);
            assertEquals(1, ofClass(root, "text", series).size(), series);
        }
        assertEquals(0, marks(root, "mark", "tcp-blocking", 0).length);
        assertTexts(root, "jverbs, Linux's sockets", "jverbs, Java's sockets", "bare datagrams", "TCP", "64 B", "1 KiB",
                "256 KiB", "4 MiB", "message size, logarithmic", "bandwidth, logarithmic", "100 MB/s", "1 GB/s");
    }

    @Test
    void aPointOfBandwidthIsAtItsSpeed() throws Exception {
        Element root = draw(BANDWIDTH);

        // 4 MiB in 81 us
        assertTexts(root, "52 GB/s");
        double[] linux = marks(root, "mark", "jverbs-linux", 1);
        double[] tcp = marks(root, "mark", "tcp", 1);
        // 1 us and 4 us, then 81 us and 84 us; the vertical axis points down
        double decade = (tcp[0] - linux[0]) / Math.log10(4);
        assertEquals(decade * Math.log10(84 / 81.0), tcp[8] - linux[8], 0.2);
        double[] columns = marks(root, "mark", "tcp", 0);
        assertEquals((columns[8] - columns[0]) / 8, columns[1] - columns[0], 0.2, "each size is four times the last");
    }

    @ParameterizedTest
    @ValueSource(strings = {LATENCY, BANDWIDTH})
    void aChartIsInsideItsFrame(String name) throws Exception {
        Element root = draw(name);
        double width = Double.parseDouble(root.getAttribute("width"));
        double height = Double.parseDouble(root.getAttribute("height"));
        for (Element text : elements(root, "text")) {
            double length = text.getTextContent().length() * LETTER;
            List<String> classes = List.of(text.getAttribute("class").split(" "));
            double from = Double.parseDouble(text.getAttribute("x"))
                    - (classes.contains("end") ? length : classes.contains("middle") ? length / 2 : 0);
            boolean sentence = classes.contains("note");
            assertTrue(from >= 0 && (sentence || from + length <= width), text.getTextContent());
            double y = Double.parseDouble(text.getAttribute("y"));
            assertTrue(y > 0 && y < height, text.getTextContent());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {LATENCY, BANDWIDTH})
    void aChartHasColoursForDarkPagesAndShortLines(String name) throws Exception {
        Element root = draw(name);
        String style = elements(root, "style").getFirst().getTextContent();
        String light = style.substring(0, style.indexOf("@media (prefers-color-scheme: dark)"));
        String dark = style.substring(light.length());
        Stream.of("text", ".back", ".grid", ".jverbs-linux", ".jverbs-nio", ".datagrams", ".tcp")
                .forEach(each -> assertTrue(light.contains("    " + each + " {") && dark.contains("    " + each + " {"),
                        each));
        assertEquals(List.of(), Files.readAllLines(folder.resolve(name)).stream()
                .filter(line -> line.length() > MAX_COLUMNS).toList());
    }

    private String refusal(List<Score> scores) {
        String message = assertThrows(UnusableResultsException.class, () -> Charts.write(folder, scores)).getMessage();
        assertTrue(Files.notExists(folder.resolve(LATENCY)) && Files.notExists(folder.resolve(BANDWIDTH)));
        return message;
    }

    @Test
    void missingResultsAreNamed() throws Exception {
        assertEquals("latency-by-load.svg needs results that are missing: busy.BusyLatency.sendNio loops=1,"
                + " busy.BusyLatency.tcp loops=0,1,2,4 (bytes=64, mode sample); bandwidth-by-size.svg needs results"
                + " that are missing: wire.Bandwidth.tcp bytes=4194304 (mode avgt)",
                refusal(scores(made -> !made.benchmark().equals("busy.BusyLatency.tcp")
                        && !(made.benchmark().endsWith("sendNio") && made.params().get("loops").equals("1"))
                        && !(made.benchmark().endsWith("Bandwidth.tcp")
                                && made.params().get("bytes").equals("4194304")))));
    }

    @Test
    void resultsOfAnotherModeOrWithOtherParametersDoNotCount() throws Exception {
        List<Score> scores = new ArrayList<>(scores(made -> !made.benchmark().endsWith("BusyLatency.tcp")));
        for (String loops : List.of("0", "1", "2", "4")) {
            scores.add(tcp(loops.equals("0") ? Mode.AverageTime : Mode.SampleTime,
                    Map.of("bytes", loops.equals("2") ? "4096" : "64", "loops", loops)));
        }
        assertEquals(
                "latency-by-load.svg needs results that are missing: busy.BusyLatency.tcp loops=0,2 (bytes=64, mode"
                        + " sample)",
                refusal(scores));
    }

    private static Score tcp(Mode mode, Map<String, String> params) {
        return new Score("busy.BusyLatency.tcp", mode, params, new double[] {10}, 0, 0, 0,
                new double[] {10, 10, 10, 10, 10}, null);
    }

    @Test
    void resultsThatAreNotUniqueAreRefused() throws Exception {
        List<Score> scores = new ArrayList<>(scores(made -> true));
        scores.addAll(scores(made -> made.benchmark().endsWith("tcpBlocking")));
        assertEquals("latency-by-load.svg has several results of busy.BusyLatency.tcpBlocking loops=0,1,2,4 (bytes=64,"
                + " mode sample)", refusal(scores));
    }

    /** A logarithmic axis has no place for them. */
    @ParameterizedTest
    @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
    void resultsThatAreNotPositiveAreRefused(double nanos) throws Exception {
        List<Score> scores = new ArrayList<>(scores(made -> !made.benchmark().equals("wire.Bandwidth.tcp")
                || !made.params().get("bytes").equals("64")));
        scores.add(new Score("wire.Bandwidth.tcp", Mode.AverageTime, Map.of("bytes", "64"), new double[] {nanos}, 0, 0,
                0, null, null));
        assertEquals("bandwidth-by-size.svg has results that are not positive: wire.Bandwidth.tcp bytes=64 (mode"
                + " avgt)", refusal(scores));
    }
}
