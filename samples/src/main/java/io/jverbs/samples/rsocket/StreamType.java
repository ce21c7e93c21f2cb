package io.jverbs.samples.rsocket;

import io.jverbs.RdmaContext;
import io.jverbs.rsocket.RdmaStream;
import io.jverbs.rsocket.RdmaStreamListener;
import io.jverbs.rsocket.RdmaStreamOptions;
import io.jverbs.samples.nodes.Endpoints;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;

/** Connects and accepts streams of one type. */
sealed interface StreamType {
    /** The size of the send buffer and of the receive buffer if no option gives one. */
    int BUFFER_SIZE = 1 << 19;

    /** Connects to the server. */
    ByteStream connect(Endpoints endpoints, StreamSettings settings) throws IOException, InterruptedException;

    /** Listens at the local address. */
    StreamListener listen(Endpoints endpoints, StreamSettings settings) throws IOException;

    /** Streams over RDMA. */
    record Rdma(RdmaContext context) implements StreamType {
        @Override
        public ByteStream connect(Endpoints endpoints, StreamSettings settings)
                throws IOException, InterruptedException {
            return new RdmaByteStream(RdmaStream.connect(context, endpoints.local(), endpoints.server(),
                    options(settings)));
        }

        @Override
        public StreamListener listen(Endpoints endpoints, StreamSettings settings) {
            RdmaStreamListener listener = RdmaStreamListener.bind(context, endpoints.local(), options(settings));
            return new StreamListener() {
                @Override
                public ByteStream accept() throws IOException, InterruptedException {
                    return new RdmaByteStream(listener.accept());
                }

                @Override
                public void close() {
                    listener.close();
                }
            };
        }

        static RdmaStreamOptions options(StreamSettings settings) {
            return RdmaStreamOptions.DEFAULT.withSendBufferSize(settings.bufferSize())
                    .withReceiveBufferSize(settings.bufferSize()).withInlineSize(settings.inlineSize())
                    .withKeepAlive(Duration.ofSeconds(settings.keepAliveSeconds()));
        }
    }

    /** TCP connections. */
    record Tcp() implements StreamType {
        @Override
        public ByteStream connect(Endpoints endpoints, StreamSettings settings) throws IOException {
            SocketChannel channel = SocketChannel.open();
            boolean isConnected = false;
            try {
                setBufferSizes(channel, settings);
                channel.bind(endpoints.local());
                channel.connect(endpoints.server());
                ByteStream stream = new TcpByteStream(channel);
                isConnected = true;
                return stream;
            } finally {
                if (!isConnected) {
                    channel.close();
                }
            }
        }

        @Override
        public StreamListener listen(Endpoints endpoints, StreamSettings settings) throws IOException {
            ServerSocketChannel listener = ServerSocketChannel.open();
            listener.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            listener.bind(endpoints.local());
            return new StreamListener() {
                @Override
                public ByteStream accept() throws IOException {
                    SocketChannel channel = listener.accept();
                    setBufferSizes(channel, settings);
                    return new TcpByteStream(channel);
                }

                @Override
                public void close() throws IOException {
                    listener.close();
                }
            };
        }

        private static void setBufferSizes(SocketChannel channel, StreamSettings settings) throws IOException {
            channel.setOption(StandardSocketOptions.SO_SNDBUF, settings.bufferSize());
            channel.setOption(StandardSocketOptions.SO_RCVBUF, settings.bufferSize());
        }
    }
}
