package io.jverbs.rsocket;

import io.jverbs.rsocket.journal.StreamEnd;
import io.jverbs.rsocket.protocol.ReceiveBuffer;
import io.jverbs.rsocket.protocol.SendSequence;
import java.net.InetSocketAddress;
import java.util.function.Supplier;

/**
 * What a stream has done: its counters, and what is recorded of its end. The objects that transfers change anyway
 * count; this one reads them, with the lock of the completion queue. Thread-safe.
 */
final class StreamStatistics implements Supplier<StreamEnd> {
    private final StreamConnection stream;
    private final long begin = System.nanoTime();
    /** Null before the connect data of the peer has arrived, as is the field below. */
    private SendSequence sent;
    private ReceiveBuffer received;

    StreamStatistics(StreamConnection stream) {
        this.stream = stream;
    }

    /** Takes what counts; the lock is held. */
    void begin(SendSequence sequence, ReceiveBuffer buffer) {
        assert stream.lock().isHeldByCurrentThread();
        sent = sequence;
        received = buffer;
    }

    RdmaStreamCounters counters() {
        long waits = stream.waits().blocks();
        stream.lock().lock();
        try {
            return received == null
                    ? new RdmaStreamCounters(0, 0, 0, 0, 0, 0, waits)
                    : new RdmaStreamCounters(sent.bytes(), sent.messages(), received.grants(), received.bytes(),
                            received.messages(), sent.limits(), waits);
        } finally {
            stream.lock().unlock();
        }
    }

    /** Returns what is recorded of the stream, which ends now. */
    @Override
    public StreamEnd get() {
        RdmaStreamCounters all = counters();
        StreamQueuePair qp = stream.queuePair();
        return new StreamEnd(stream.device().context().device().name(), qp == null ? 0 : qp.qp().number(),
                localAddress(), stream.peerAddress(), stream.establishment().isServer(), System.nanoTime() - begin,
                all.sentBytes(), all.sentMessages(), all.receivedBytes(), all.receivedMessages(), all.waits());
    }

    /** Returns the local address; null if the ID was closed with its context. */
    private InetSocketAddress localAddress() {
        try {
            return stream.establishment().id().localAddress();
        } catch (IllegalStateException e) {
            return null;
        }
    }
}
