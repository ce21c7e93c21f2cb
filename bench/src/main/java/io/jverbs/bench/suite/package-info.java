/** Runs benchmarks and their baselines in turn: {@code bench/run}. */
package io.jverbs.bench.suite;
