package io.jverbs.samples.rsocket;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;

/** A connection that transfers bytes in both directions. The methods whose names begin with try do not wait. */
interface ByteStream extends AutoCloseable {
    /** Reads what has arrived; returns the number of bytes, 0 if nothing has, and -1 at the end of the stream. */
    int tryRead(ByteBuffer into) throws IOException;

    /** Waits until something has arrived, and reads it; returns the number of bytes, -1 at the end of the stream. */
    int read(ByteBuffer into) throws IOException, InterruptedException;

    /** Writes what there is room for; returns the number of bytes. */
    int tryWrite(ByteBuffer from) throws IOException;

    /** Writes all bytes. */
    void write(ByteBuffer from) throws IOException, InterruptedException;

    /** Waits until bytes can be read, or the time has passed; returns whether they can. */
    boolean awaitReadable(Duration timeout) throws IOException, InterruptedException;

    /** Waits until bytes can be written, or the time has passed; returns whether they can. */
    boolean awaitWritable(Duration timeout) throws IOException, InterruptedException;

    /** Ends the direction to the peer. */
    void shutdownOutput() throws IOException;

    /** Ends both directions. */
    void shutdown() throws IOException;

    @Override
    void close() throws IOException;
}
