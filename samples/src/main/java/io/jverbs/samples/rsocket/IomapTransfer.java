package io.jverbs.samples.rsocket;

import io.jverbs.rsocket.RdmaStream;
import io.jverbs.rsocket.RdmaStreamIomap;
import io.jverbs.samples.connect.SpinWait;
import io.jverbs.samples.console.SampleFailure;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * Writes a buffer to the one that the peer has mapped at offset 0, and waits for what the peer writes to the buffer of
 * this side. Its last byte is the marker, which the peer changes with the last transfer before it waits itself: nothing
 * else tells that a transfer has arrived. Not thread-safe.
 */
final class IomapTransfer {
    /** No marker before the last of 256 transfers. */
    private static final byte NO_MARKER = -1;
    private static final Duration LONG = Duration.ofSeconds(1);
    private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();

    private final RdmaStream stream;
    private final TransferModes modes;
    private final ByteSequence sequence;
    private final RdmaStreamIomap iomap;
    private final MemorySegment mapped;
    private final ByteBuffer buffer;
    private final int markerOffset;
    private final SpinWait wait = new SpinWait(SpinWait.SHORT_POLLS);

    /**
     * Creates the transfers of a test.
     *
     * @param stream the stream
     * @param modes the test options
     * @param mapped the buffer that is sent, and that the peer writes
     * @param sequence what is transferred with -T verify, except for the marker
     */
    IomapTransfer(RdmaStream stream, TransferModes modes, MemorySegment mapped, ByteSequence sequence) {
        this.stream = stream;
        this.modes = modes;
        this.sequence = sequence;
        this.iomap = stream.iomap();
        this.mapped = mapped;
        this.buffer = mapped.asByteBuffer();
        this.markerOffset = buffer.capacity() - 1;
    }

    /** Maps the buffer. The peer learns of it with the next bytes of the stream. */
    void map() throws IOException {
        mapped.set(ValueLayout.JAVA_BYTE, markerOffset, NO_MARKER);
        iomap.map(mapped, 0);
    }

    /** Ends the mapping. */
    void unmap() {
        iomap.unmap(mapped);
    }

    /** Sends transfers, the last of them with a marker. */
    void send(int transfers, byte marker) throws IOException, InterruptedException {
        for (int i = 1; i < transfers; i++) {
            send();
        }
        mapped.set(ValueLayout.JAVA_BYTE, markerOffset, marker);
        if (modes.verify()) {
            sequence.fill(content());
        }
        send();
    }

    /** Returns the bytes before the marker. */
    private ByteBuffer content() {
        return buffer.clear().limit(markerOffset);
    }

    private void send() throws IOException, InterruptedException {
        buffer.clear();
        while (buffer.hasRemaining()) {
            if (modes.async()) {
                awaitWritable();
            }
            if (iomap.tryWrite(buffer, buffer.position()) == 0) {
                if (modes.blocking()) {
                    stream.awaitWritable(LONG);
                } else {
                    pause();
                }
            }
        }
    }

    private void awaitWritable() throws InterruptedException {
        while (!stream.awaitWritable(modes.blocking() ? LONG : Duration.ZERO)) {
            pause();
        }
    }

    private static void pause() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        Thread.onSpinWait();
    }

    /** Waits for the transfer with a marker. Like the C program, it polls the memory, whatever the test options are. */
    void receive(byte marker) throws InterruptedException {
        wait.begin();
        while (!hasArrived(marker)) {
            // the end of the stream follows what the peer has written
            if ((stream.ready() & RdmaStream.ENDED) != 0 && !hasArrived(marker)) {
                throw new SampleFailure("the peer has ended the stream before marker " + Byte.toUnsignedInt(marker)
                        + " of a test has arrived");
            }
            if (wait.idle() && Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
        if (modes.verify()) {
            sequence.verify(content());
        }
    }

    private boolean hasArrived(byte marker) {
        return (byte) BYTE.getAcquire(mapped, (long) markerOffset) == marker;
    }
}
