/** What benchmarks state about themselves: their baselines, what they need, and what a short run leaves out. */
package io.jverbs.bench.suite;
