/**
 * What tests and tools can do to a device beyond verbs: pull a cable, fill a table, remove the device, read its
 * counters, simulate a whole network. A device offers what it can through {@link io.jverbs.RdmaDevice#capability(Class)}; hardware offers
 * little of it.
 *
 * <p> What is done here happens to the device, so every context opened on it sees it. All methods may be called by
 * any thread.
 */
package io.jverbs.control;
