/** Benchmarks of two processes over RoCEv2, compared with plain datagrams and TCP: latency and bandwidth. */
package io.jverbs.bench.wire;
