/**
 * Whether a thread that waits for something of a stream polls before it blocks, and when it yields its processor. The
 * classes do not refer to streams.
 * Not exported.
 */
package io.jverbs.rsocket.polling;
