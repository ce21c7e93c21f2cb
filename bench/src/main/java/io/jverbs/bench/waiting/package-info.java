/**
 * Benchmarks of two processes whose threads wait for completion events instead of polling, compared with blocking TCP:
 * latency of one connection, throughput of many, and processor time.
 */
package io.jverbs.bench.waiting;
