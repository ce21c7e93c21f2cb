package io.jverbs.samples.rsocket;

import io.jverbs.rsocket.RdmaStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;

/** A stream over RDMA. */
record RdmaByteStream(RdmaStream stream) implements ByteStream {
    @Override
    public int tryRead(ByteBuffer into) throws IOException {
        return stream.tryRead(into);
    }

    @Override
    public int read(ByteBuffer into) throws IOException, InterruptedException {
        return stream.read(into);
    }

    @Override
    public int tryWrite(ByteBuffer from) throws IOException {
        return stream.tryWrite(from);
    }

    @Override
    public void write(ByteBuffer from) throws IOException, InterruptedException {
        stream.write(from);
    }

    @Override
    public boolean awaitReadable(Duration timeout) throws InterruptedException {
        return stream.awaitReadable(timeout);
    }

    @Override
    public boolean awaitWritable(Duration timeout) throws InterruptedException {
        return stream.awaitWritable(timeout);
    }

    @Override
    public void shutdownOutput() {
        stream.shutdownOutput();
    }

    @Override
    public void shutdown() {
        stream.shutdownOutput();
        stream.shutdownInput();
    }

    @Override
    public void close() {
        stream.close();
    }
}
