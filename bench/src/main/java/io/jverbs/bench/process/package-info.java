/** What benchmarks of two processes need: the other process, the connections to it, warm-up, and their JMH state. */
package io.jverbs.bench.process;
