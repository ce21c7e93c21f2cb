/**
 * Stress tests: many threads on public API objects of the software device, checked by counting. Each runs for a second;
 * {@code -Djverbs.stress.seconds=60} makes each run for a minute.
 */
package io.jverbs.soft.stress;
