/**
 * What both sides of datagrams send: the header of the UDP datagrams in which they name their queue pairs, the header
 * in front of each message, and the source of a received packet. Without verbs objects.
 */
package io.jverbs.rsocket.datagram.protocol;
