package io.jverbs.samples.rsocket;

import io.jverbs.samples.console.SampleFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * Sends and receives buffers over a stream.
 *
 * @param stream the stream
 * @param modes how
 * @param buffer holds the longest transfer
 * @param sequence what is transferred with -T verify
 */
record StreamTransfer(ByteStream stream, TransferModes modes, ByteBuffer buffer, ByteSequence sequence) {
    private static final Duration LONG = Duration.ofSeconds(1);

    void send(int size) throws IOException, InterruptedException {
        buffer.clear().limit(size);
        if (modes.verify()) {
            sequence.fill(buffer);
        }
        while (buffer.hasRemaining()) {
            if (modes.async()) {
                awaitWritable();
            }
            if (modes.blocking()) {
                stream.write(buffer);
            } else if (stream.tryWrite(buffer) == 0) {
                pause();
            }
        }
    }

    void receive(int size) throws IOException, InterruptedException {
        buffer.clear().limit(size);
        while (buffer.hasRemaining()) {
            if (modes.async()) {
                awaitReadable();
            }
            int count = modes.blocking() ? stream.read(buffer) : stream.tryRead(buffer);
            if (count < 0) {
                throw new SampleFailure("the peer has ended the stream after " + buffer.position() + " of " + size
                        + " bytes of a transfer");
            }
            if (count == 0) {
                pause();
            }
        }
        if (modes.verify()) {
            sequence.verify(buffer);
        }
    }

    private Duration timeout() {
        return modes.blocking() ? LONG : Duration.ZERO;
    }

    private void awaitWritable() throws IOException, InterruptedException {
        while (!stream.awaitWritable(timeout())) {
            pause();
        }
    }

    private void awaitReadable() throws IOException, InterruptedException {
        while (!stream.awaitReadable(timeout())) {
            pause();
        }
    }

    /** Like the C program, the sample polls without a pause unless -T blocking is given. */
    private static void pause() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        Thread.onSpinWait();
    }
}
