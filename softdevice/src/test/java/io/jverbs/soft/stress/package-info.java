/**
 * Stress tests. Many threads use public API objects of the software device at once; the tests count requests and
 * completions. Each test runs for a second with the profile "full", and otherwise for less than a third of it;
 * {@code -Djverbs.stress.seconds=60} makes each run for a minute.
 */
package io.jverbs.soft.stress;
