/**
 * What both sides of a stream send, and the arithmetic of buffers and credits that it follows. The classes refer to no
 * verbs objects, and refuse what a peer must not do. Not exported.
 */
package io.jverbs.rsocket.protocol;
