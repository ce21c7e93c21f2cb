/** Two processes over RoCEv2, beside bare datagrams: latency and bandwidth. */
package io.jverbs.bench.wire;
