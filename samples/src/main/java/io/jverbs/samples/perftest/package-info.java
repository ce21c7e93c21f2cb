/**
 * The programs of perftest, which measure latency and bandwidth by message size. Options
 * ({@link io.jverbs.samples.perftest.PerftestCommand}), output ({@link io.jverbs.samples.perftest.Preamble},
 * {@link io.jverbs.samples.perftest.run.Table}) and exchange ({@link io.jverbs.samples.perftest.exchange}) are those of
 * the C programs, so either side may be one of them. First both sides exchange parameters and addresses
 * ({@link io.jverbs.samples.perftest.Session}). Then they measure ({@link io.jverbs.samples.perftest.Measurement}); the
 * package {@link io.jverbs.samples.perftest.run} runs the rounds.
 */
package io.jverbs.samples.perftest;
