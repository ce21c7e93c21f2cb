package io.jverbs.rsocket.journal;

import java.net.InetSocketAddress;

/**
 * What is recorded of a stream at its end. Immutable.
 *
 * @param device the name of its device
 * @param queuePair the number of its queue pair, 0 if it has had none
 * @param local its address, null if it is not known
 * @param remote the address of its peer
 * @param isAccepted whether a listener has accepted it
 * @param lifetime the nanoseconds from its creation to its end
 * @param sentBytes the bytes that it has sent
 * @param sentMessages the messages that it has sent
 * @param receivedBytes the bytes that it has received
 * @param receivedMessages the messages that it has received
 * @param waits how often a thread has blocked
 */
public record StreamEnd(String device, int queuePair, InetSocketAddress local, InetSocketAddress remote,
        boolean isAccepted, long lifetime, long sentBytes, long sentMessages, long receivedBytes, long receivedMessages,
        long waits) {}
