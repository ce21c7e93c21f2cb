/**
 * Strict mode: what hardware punishes later, or silently, is reported where a program does it. What is checked, and what a check
 * cannot see, is in {@code docs/strict-mode.md}.
 *
 * <p> {@link io.jverbs.strict.StrictMode} is a layer between the API and a device, given to
 * {@link io.jverbs.RdmaDevice#open(io.jverbs.spi.DeviceLayer...)} or asked for with {@code -Djverbs.strict=true}. Without it there
 * is nothing in the way.
 */
package io.jverbs.strict;
