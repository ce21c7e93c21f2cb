/**
 * Stress tests. Many threads use public API objects of the software device at once; the tests count requests and
 * completions. Each test runs for one second; {@code -Djverbs.stress.seconds=60} makes each run for a minute.
 */
package io.jverbs.soft.stress;
