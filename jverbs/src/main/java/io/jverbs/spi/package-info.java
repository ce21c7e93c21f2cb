/**
 * What a device must offer to stand below the API. A {@link io.jverbs.spi.VerbsProvider} gives
 * {@link io.jverbs.spi.ProviderDevice devices}; an open device is a {@link io.jverbs.spi.ContextOps}. Operations work on
 * {@link io.jverbs.spi.Handle handles} made by the innermost device, so that a provider can wrap another one, interpose
 * what it likes and pass the same handles on. Programs that only use verbs need nothing of this package.
 */
package io.jverbs.spi;
