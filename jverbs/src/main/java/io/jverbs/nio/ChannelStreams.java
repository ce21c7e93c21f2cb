package io.jverbs.nio;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/** The streams of the socket of a channel. */
final class ChannelStreams {
    private ChannelStreams() {}

    /** Reads from a channel, within the timeout of its socket. */
    static final class Input extends InputStream {
        private final RdmaSocketChannel channel;
        private final IntSupplier timeout;

        /** Creates a stream; the supplier has the timeout in milliseconds, 0 for none. */
        Input(RdmaSocketChannel channel, IntSupplier timeout) {
            this.channel = channel;
            this.timeout = timeout;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) > 0 ? one[0] & 0xFF : -1;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            return channel.connected().read(into, offset, length,
                    TimeUnit.MILLISECONDS.toNanos(timeout.getAsInt()));
        }

        @Override
        public int available() throws IOException {
            return channel.connected().available();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    /** Writes to a channel. */
    static final class Output extends OutputStream {
        private final RdmaSocketChannel channel;

        Output(RdmaSocketChannel channel) {
            this.channel = channel;
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] from, int offset, int length) throws IOException {
            channel.connected().write(from, offset, length);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
