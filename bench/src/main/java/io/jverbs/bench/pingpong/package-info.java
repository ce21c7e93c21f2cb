/** Two threads of one JVM. */
package io.jverbs.bench.pingpong;
