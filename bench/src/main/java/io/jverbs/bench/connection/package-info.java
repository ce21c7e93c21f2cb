/** Benchmarks of connecting by address, beside TCP. */
package io.jverbs.bench.connection;
