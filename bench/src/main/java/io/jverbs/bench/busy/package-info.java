/**
 * Benchmarks of two processes with fewer processors than they could use: beside busy loops, each on a processor of its
 * own, both on one processor, or both in a cgroup that has half a processor.
 */
package io.jverbs.bench.busy;
