/**
 * Fault injection on any device, by rules or by calls of the program, for faults that a healthy fabric does not show.
 *
 * <p>
 * {@link io.jverbs.fault.FaultInjection} is a layer between the API and a device, given to
 * {@link io.jverbs.RdmaDevice#open(io.jverbs.spi.DeviceLayer...)} or switched on with {@code -Djverbs.fault=...}.
 * Without it, calls go to the device directly.
 */
package io.jverbs.fault;
