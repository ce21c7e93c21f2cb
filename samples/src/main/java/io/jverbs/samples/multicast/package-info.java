/** Multicast with the connection manager, as mckey of rdmacm-utils. */
package io.jverbs.samples.multicast;
