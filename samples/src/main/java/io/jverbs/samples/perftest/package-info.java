/**
 * The programs of perftest, which measure latency and bandwidth by message size. Options
 * ({@link io.jverbs.samples.perftest.PerftestCommand}) and output ({@link io.jverbs.samples.perftest.Preamble},
 * {@link io.jverbs.samples.perftest.run.Table}) are those of the C programs. The protocol over TCP is not, so both
 * sides must be programs of this project. First both sides exchange parameters and addresses
 * ({@link io.jverbs.samples.perftest.Session}). Then the client announces rounds
 * ({@link io.jverbs.samples.perftest.Client}), and the server runs them with it
 * ({@link io.jverbs.samples.perftest.Server}). The package {@link io.jverbs.samples.perftest.run} runs and measures the
 * rounds.
 */
package io.jverbs.samples.perftest;
