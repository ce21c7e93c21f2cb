package io.jverbs.bench.report;

import java.util.List;

/**
 * The verdict of a report.
 *
 * @param allocations sentences about the data path benchmarks that allocate
 * @param missed the bars that do not hold, or were not measured although their benchmark was selected
 */
public record Verdict(List<String> allocations, List<String> missed) {}
