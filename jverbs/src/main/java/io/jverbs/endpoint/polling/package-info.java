/**
 * The threads of endpoints that poll: which of them polls, when the thread of a context polls instead, and whether a
 * thread polls before it blocks. The classes do not refer to connections.
 */
package io.jverbs.endpoint.polling;
