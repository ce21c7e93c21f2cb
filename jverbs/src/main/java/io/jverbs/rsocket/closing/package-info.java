/**
 * How the objects of streams and datagram sockets are destroyed. The class does not refer to either. Not exported.
 */
package io.jverbs.rsocket.closing;
