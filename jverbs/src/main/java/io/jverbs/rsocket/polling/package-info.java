/**
 * Whether a thread that waits for something of a stream polls before it blocks. The class does not refer to streams.
 * Not exported.
 */
package io.jverbs.rsocket.polling;
