/**
 * The registered memory of a stream: its buffers, and the buffers that both sides map. The classes do not refer to
 * streams. Not exported.
 */
package io.jverbs.rsocket.memory;
