package io.jverbs.samples.perftest.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.samples.Run;
import io.jverbs.samples.console.SampleFailure;
import io.jverbs.samples.perftest.Pair;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.knowm.xchart.style.colors.XChartSeriesColors;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Plots show each series with all its points. */
@Execution(ExecutionMode.CONCURRENT)
class PlotTest {
    @TempDir
    private Path folder;

    private static Run loopback(String command, Path plot) {
        Run run = Run.of((command + " --loopback -d soft:soft49 --warm-up 0 --plot " + plot).split(" +"));
        assertEquals("", run.err());
        assertEquals(0, run.status());
        return run;
    }

    @Test
    void aPngHasItsSizeAndThreeColoursOfSeries() throws Exception {
        Path file = folder.resolve("latency.png");

        loopback("send-lat -s 64 -n 100", file);

        BufferedImage picture = ImageIO.read(file.toFile());
        assertEquals(Plot.WIDTH, picture.getWidth());
        assertEquals(Plot.HEIGHT, picture.getHeight());
        assertEquals(List.of(XChartSeriesColors.BLUE, XChartSeriesColors.ORANGE, XChartSeriesColors.PURPLE),
                colours(picture));
    }

    /** {@return the series colours of at least 20 pixels; there are other colours where two series overlap} */
    private static List<Color> colours(BufferedImage picture) {
        return Arrays.stream(new XChartSeriesColors().getSeriesColors())
                // text and lines are grey
                .filter(colour -> colour.getRed() != colour.getGreen() && pixels(picture, onWhite(colour)) >= 20)
                .toList();
    }

    /** {@return how a colour looks on white, which shines through} */
    private static Color onWhite(Color colour) {
        int white = 255 - colour.getAlpha();
        return new Color(white + colour.getRed() * colour.getAlpha() / 255,
                white + colour.getGreen() * colour.getAlpha() / 255,
                white + colour.getBlue() * colour.getAlpha() / 255);
    }

    private static int pixels(BufferedImage picture, Color colour) {
        int count = 0;
        for (int y = 0; y < picture.getHeight(); y++) {
            for (int x = 0; x < picture.getWidth(); x++) {
                Color pixel = new Color(picture.getRGB(x, y));
                if (Math.abs(pixel.getRed() - colour.getRed()) <= 2
                        && Math.abs(pixel.getGreen() - colour.getGreen()) <= 2
                        && Math.abs(pixel.getBlue() - colour.getBlue()) <= 2) {
                    count++;
                }
            }
        }
        return count;
    }

    /** {@return the number of circles of each colour: one for each point, and one in the legend} */
    private static Map<String, Integer> circles(Path svg) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
        Element root = factory.newDocumentBuilder().parse(svg.toFile()).getDocumentElement();
        assertEquals("svg", root.getTagName());
        assertEquals(Plot.WIDTH + "px", root.getAttribute("width"));
        assertEquals(Plot.HEIGHT + "px", root.getAttribute("height"));
        Map<String, Integer> circles = new TreeMap<>();
        NodeList ellipses = root.getElementsByTagName("ellipse");
        for (int i = 0; i < ellipses.getLength(); i++) {
            String style = ((Element) ellipses.item(i)).getAttribute("style");
            circles.merge(style, 1, Integer::sum);
        }
        return circles;
    }

    @Test
    void anSvgHasAPointForEachSizeInEachSeriesOfLatency() throws Exception {
        Path file = folder.resolve("latency.svg");

        loopback("read-lat -a -n 10", file);

        Map<String, Integer> circles = circles(file);
        assertEquals(3, circles.size(), "t_typical, 99 %, baseline: " + circles);
        circles.forEach((colour, count) -> assertEquals(23 + 1, count, colour));
    }

    @Test
    void anSvgHasAPointForEachSizeInEachSeriesOfBandwidth() throws Exception {
        Path file = folder.resolve("bandwidth.svg");

        loopback("send-bw -c UD -a -n 10", file);

        Map<String, Integer> circles = circles(file);
        assertEquals(2, circles.size(), "BW average, baseline: " + circles);
        circles.forEach((colour, count) -> assertEquals(12 + 1, count, colour));
    }

    @Test
    void betweenTwoSidesTheBaselineIsDatagrams() throws Exception {
        Path latency = folder.resolve("latency.svg");
        Path bandwidth = folder.resolve("bandwidth.svg");

        Pair.of("send-lat", List.of("-n", "10", "-s", "200000"),
                List.of("-n", "10", "-s", "200000", "--plot", latency.toString())).succeeded();
        Pair.of("read-bw", List.of("-n", "10"),
                List.of("-n", "10", "--plot", bandwidth.toString())).succeeded();

        assertEquals(3, circles(latency).size());
        assertEquals(2, circles(bandwidth).size());
    }

    @Test
    void aFileThatCannotBeWrittenIsRefusedBeforeTheTest() throws Exception {
        Path occupied = Files.createDirectory(folder.resolve("folder.png"));

        Run run = Run.of("write-bw", "--loopback", "-d", "soft:soft49", "-n", "10", "--warm-up", "0", "--plot",
                occupied.toString());

        assertEquals("samples/run write-bw: --plot " + occupied + ": it exists and is not a writable file; "
                + "samples/run write-bw --help describes the options.",
                run.err().strip());
        assertEquals("", run.out());
        assertEquals(1, run.status());
    }

    @Test
    void aFileThatCannotBeWrittenAfterTheTestIsReported() throws Exception {
        Path occupied = Files.createDirectory(folder.resolve("folder.png"));
        Plot plot = new Plot(TestSettings.plot(Verb.WRITE, false, occupied), "title", "baseline");
        plot.add(64, new Rounds.Outcome(null, new BandwidthReport(64, 5, 1, 1, 1)), 1);

        SampleFailure failure = assertThrows(SampleFailure.class, plot::save);

        assertTrue(failure.getMessage().startsWith("the plot cannot be written to " + occupied),
                failure::getMessage);
    }

    @Test
    void theLegendOfABidirectionalTestSaysThatTheBaselineIsOneWay() {
        Baseline baseline = new MemoryBaseline(TestSettings.program(Verb.WRITE, false, false));

        assertEquals("baseline, memory: MemorySegment.copy", baseline.legend(false));
        assertEquals("baseline, memory: MemorySegment.copy, one way", baseline.legend(true));
    }
}
