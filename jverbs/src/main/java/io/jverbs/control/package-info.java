/**
 * Capabilities of devices beyond verbs, for tests and tools: pull a cable, change a table, remove the device, read
 * counters, capture packets, simulate a network. {@link io.jverbs.RdmaDevice#capability(Class)} returns those that a
 * device has; hardware has few of them.
 *
 * <p>
 * All of them act on the device, so every context of the device is affected. All methods are thread-safe.
 */
package io.jverbs.control;
