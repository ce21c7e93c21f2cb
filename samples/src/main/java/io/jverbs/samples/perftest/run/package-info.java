/**
 * Runs and measures the rounds of perftest's programs. {@link io.jverbs.samples.perftest.run.Settings} has the options
 * of a test, and {@link io.jverbs.samples.perftest.run.Side} has the verbs objects of one side. A side runs a round
 * ({@link io.jverbs.samples.perftest.run.Rounds}); its loops are in {@link io.jverbs.samples.perftest.run.Traffic}. The
 * results are reported ({@link io.jverbs.samples.perftest.run.LatencyReport},
 * {@link io.jverbs.samples.perftest.run.BandwidthReport}), printed ({@link io.jverbs.samples.perftest.run.Table}), and
 * plotted ({@link io.jverbs.samples.perftest.run.Plot}) with a {@link io.jverbs.samples.perftest.run.Baseline}. This
 * package does not use {@link io.jverbs.samples.perftest}, the package of the commands.
 */
package io.jverbs.samples.perftest.run;
