/** JMH benchmarks: each stands beside its baseline in the same run, and the ratio is what counts. */
package io.jverbs.bench;
