/**
 * What streams, and the sockets over them, record for Java Flight Recorder. The classes do not refer to either. Not
 * exported.
 */
package io.jverbs.rsocket.journal;
