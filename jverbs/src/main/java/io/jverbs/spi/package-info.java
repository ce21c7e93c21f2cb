/**
 * The service provider interface (SPI): what a device implements below the API. A {@link io.jverbs.spi.VerbsProvider}
 * lists {@link io.jverbs.spi.ProviderDevice devices}. An open device is a {@link io.jverbs.spi.ContextOps}; its {@link
 * io.jverbs.spi.DataPath} posts and polls. Operations take {@link io.jverbs.spi.Handle handles} of objects that the
 * device has created. A {@link io.jverbs.spi.DeviceLayer} wraps the context of a device and passes its handles on. The
 * {@code Layout} classes give the memory layout of work requests and completions. Programs that only use verbs do not
 * need this package.
 */
package io.jverbs.spi;
