/** Datagrams: unicast and multicast, within the JVM and over the wire. */
package io.jverbs.soft.transport.ud;
