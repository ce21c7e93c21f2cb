/** What is made of the results: ratios, bars, and who allocates. */
package io.jverbs.bench.report;
