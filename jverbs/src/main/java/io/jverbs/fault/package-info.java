/**
 * Fault injection on any device: what a healthy fabric never shows a program, by rule or at its word.
 *
 * <p> {@link io.jverbs.fault.FaultInjection} is a layer between the API and a device, given to
 * {@link io.jverbs.RdmaDevice#open(io.jverbs.spi.DeviceLayer...)} or asked for with {@code -Djverbs.fault=...}. Without it
 * there is nothing in the way.
 */
package io.jverbs.fault;
