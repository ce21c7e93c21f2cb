package io.jverbs.bench.chart;

import io.jverbs.bench.report.Score;
import io.jverbs.bench.report.UnusableResultsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The charts of docs/performance.md. */
public final class Charts {
    private static final List<Chart> ALL = List.of(new LatencyByLoad(), new BandwidthBySize());

    private Charts() {}

    /** {@return the results that the charts show} */
    public static List<Selection> selections() {
        return ALL.stream().map(Chart::selection).toList();
    }

    /**
     * Draws all charts, and then writes their files. Existing files are replaced.
     *
     * @param folder the folder of the files
     * @param scores the results, which may contain others
     * @return the files
     * @throws UnusableResultsException if results are missing or not unique; no file is written then
     * @throws IOException if a file cannot be written
     */
    public static List<Path> write(Path folder, Collection<Score> scores) throws IOException {
        Map<Chart, Rows> rows = new LinkedHashMap<>();
        ALL.forEach(chart -> rows.put(chart, new Rows(chart.selection(), scores)));
        String faults = rows.entrySet().stream()
                .flatMap(each -> each.getValue().faults().stream().map(fault -> each.getKey().file() + " " + fault))
                .collect(Collectors.joining("; "));
        if (!faults.isEmpty()) {
            throw new UnusableResultsException(faults);
        }
        Map<Path, String> files = new LinkedHashMap<>();
        rows.forEach((chart, ofChart) -> files.put(folder.resolve(chart.file()), chart.draw(ofChart)));
        for (Map.Entry<Path, String> file : files.entrySet()) {
            Files.writeString(file.getKey(), file.getValue());
        }
        return List.copyOf(files.keySet());
    }
}
