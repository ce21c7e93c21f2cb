/** Ping-pongs between two threads of one JVM. */
package io.jverbs.bench.pingpong;
