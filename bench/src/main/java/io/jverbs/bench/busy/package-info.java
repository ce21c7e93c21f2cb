/**
 * Benchmarks of two processes on processors that others use, too: busy loops beside them, or both processes on one
 * processor.
 */
package io.jverbs.bench.busy;
