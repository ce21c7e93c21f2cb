/**
 * Whether a thread that waits for something of streams polls before it blocks, and when it yields its processor. Waits
 * of single streams and selectors use it. The classes do not refer to streams. Not exported.
 */
package io.jverbs.rsocket.polling;
