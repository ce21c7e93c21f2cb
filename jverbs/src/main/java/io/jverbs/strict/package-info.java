/**
 * Strict mode, which reports mistakes in the use of verbs in the call that makes them. On hardware such mistakes show
 * later, elsewhere, or not at all. The page {@code docs/strict-mode.md} describes the checks and their limits.
 *
 * <p>
 * {@link io.jverbs.strict.StrictMode} is a layer between the API and a device, given to
 * {@link io.jverbs.RdmaDevice#open(io.jverbs.spi.DeviceLayer...)} or switched on with {@code -Djverbs.strict=true}.
 * Without it, calls go to the device directly.
 */
package io.jverbs.strict;
