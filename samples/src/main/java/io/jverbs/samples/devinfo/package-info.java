/** Prints devices as {@code ibv_devinfo} does. */
package io.jverbs.samples.devinfo;
