/** An echo server and a client of Netty, over the channels of any provider. */
package io.jverbs.bench.streams.netty;
