/** The report of the results: ratios, bars, allocations. */
package io.jverbs.bench.report;
