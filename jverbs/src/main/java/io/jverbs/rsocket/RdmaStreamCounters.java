package io.jverbs.rsocket;

/**
 * What a stream has sent and received since it was created. When everything has arrived, the peer has received what
 * this side has sent. Immutable.
 *
 * @param sentBytes the bytes that were written to the stream; those that were written to mapped buffers do not count
 * @param sentMessages the messages that took a credit of the peer: each has up to 65536 bytes, or maps a buffer
 * @param sentCreditUpdates the messages that granted credits, or another half of the receive buffer, to the peer
 * @param receivedBytes the bytes that have arrived, whether the program has read them or not
 * @param receivedMessages the messages of the peer that took a credit
 * @param receivedCreditUpdates the messages with which the peer granted credits, or a half of its receive buffer
 * @param waits how often a thread has blocked in a method of the stream: to be connected, to read, to write or to
 *        close; a thread that polls for less than {@link RdmaStreamOptions#spin} has not, nor one in a selector
 */
public record RdmaStreamCounters(long sentBytes, long sentMessages, long sentCreditUpdates, long receivedBytes,
        long receivedMessages, long receivedCreditUpdates, long waits) {}
