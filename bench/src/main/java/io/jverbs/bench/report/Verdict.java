package io.jverbs.bench.report;

import java.util.List;

/**
 * What the report found.
 *
 * @param allocations benchmarks of the data path that allocate
 * @param missed bars that do not hold, or were not measured though their benchmark was asked for
 */
public record Verdict(List<String> allocations, List<String> missed) {}
