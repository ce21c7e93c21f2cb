/**
 * Streams by Java's channels, between two processes and within one JVM, compared with the channels of the JDK over TCP.
 * The same code runs over both. Datagrams by sockets of RDMA are compared with those of the JDK over UDP.
 */
package io.jverbs.bench.streams;
