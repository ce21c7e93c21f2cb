/** The program of {@code bench/run}, which runs benchmarks and their baselines in turn. */
package io.jverbs.bench.program;
