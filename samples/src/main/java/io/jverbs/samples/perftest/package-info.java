/**
 * perftest's programs: how long a message takes, and how much goes through, by size. Options
 * ({@link io.jverbs.samples.perftest.PerftestCommand}) and output ({@link io.jverbs.samples.perftest.Table}) are those of the C
 * programs; the words that both sides exchange over TCP ({@link io.jverbs.samples.perftest.Control}) are not, so both sides must
 * be of this project. The client announces rounds ({@link io.jverbs.samples.perftest.Client}), both sides play them
 * ({@link io.jverbs.samples.perftest.Traffic}), reports are made of them
 * ({@link io.jverbs.samples.perftest.LatencyReport}, {@link io.jverbs.samples.perftest.BandwidthReport}) and drawn
 * ({@link io.jverbs.samples.perftest.Plot}).
 */
package io.jverbs.samples.perftest;
