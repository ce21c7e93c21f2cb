package io.jverbs.samples.rsocket;

import io.jverbs.samples.console.SampleFailure;
import java.nio.ByteBuffer;

/** The bytes that -T verify transfers: each is one more than the byte before, also from one transfer to the next. */
final class ByteSequence {
    private byte nextSent;
    private byte nextReceived;
    private long received;

    /** Fills a buffer with the next bytes to send, from 0 to its limit. */
    void fill(ByteBuffer buffer) {
        for (int i = 0; i < buffer.limit(); i++) {
            buffer.put(i, nextSent++);
        }
    }

    /** Compares a buffer, from 0 to its limit, with the next bytes to receive. */
    void verify(ByteBuffer buffer) {
        for (int i = 0; i < buffer.limit(); i++) {
            if (buffer.get(i) != nextReceived) {
                throw new SampleFailure("data verification failed byte " + received);
            }
            nextReceived++;
            received++;
        }
    }
}
