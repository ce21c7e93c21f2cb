/**
 * Java's channels, selectors and sockets over RDMA: a provider that puts a whole program on RDMA, {@link
 * io.jverbs.nio.RdmaSelectorProvider}.
 *
 * <p>
 * The package uses only {@code io.jverbs} and the streams of {@code io.jverbs.rsocket}. A channel decides between RDMA
 * and TCP when it knows the address, and uses a channel of the JDK for TCP. A selector has a selector of the JDK inside
 * for such channels.
 */
package io.jverbs.nio;
