/**
 * What both sides of a stream send, the arithmetic of buffers and credits that it follows, and when to check the peer.
 * The classes refer to no verbs objects, and refuse what a peer must not do. Not exported.
 */
package io.jverbs.rsocket.protocol;
