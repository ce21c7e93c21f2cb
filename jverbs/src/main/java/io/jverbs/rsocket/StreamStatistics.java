package io.jverbs.rsocket;

import io.jverbs.rsocket.protocol.ReceiveBuffer;
import io.jverbs.rsocket.protocol.SendSequence;

/**
 * What a stream has done. The objects that transfers change anyway count; this one reads them, with the lock of the
 * completion queue. Thread-safe.
 */
final class StreamStatistics {
    private final StreamConnection stream;
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
}
