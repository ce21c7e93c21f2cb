package io.jverbs.rsocket;

import io.jverbs.RdmaContext;
import io.jverbs.cm.CmId;
import io.jverbs.cm.PortSpace;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Objects;

/** Connects the streams of clients: the steps of rbind and rconnect in rsocket(7). Stateless. */
final class StreamClient {
    private StreamClient() {}

    /** Begins to connect a stream, whose ID is created here. */
    static RdmaStream begin(RdmaContext context, InetSocketAddress source, InetSocketAddress address,
            RdmaStreamOptions options) {
        Objects.requireNonNull(context, "context");
        Objects.requireNonNull(address, "address");
        Objects.requireNonNull(options, "options");
        return begin(StreamDevice.acquire(context), null, source, address, options);
    }

    /** Begins to connect a stream. It takes over the use of the device, and the ID if there is one, which is bound. */
    static RdmaStream begin(StreamDevice device, CmId bound, InetSocketAddress source, InetSocketAddress address,
            RdmaStreamOptions options) {
        StreamConnection connection = null;
        boolean isStarted = false;
        try {
            connection = StreamConnection.ofClient(device, options, address, bound);
            connection.establishment().resolve(source, address);
            isStarted = true;
            return new RdmaStream(connection);
        } finally {
            if (!isStarted) {
                if (connection == null) {
                    release(device, bound);
                } else {
                    connection.close();
                }
            }
        }
    }

    /** Creates an ID and binds it. */
    static CmId bind(StreamDevice device, InetSocketAddress address) {
        CmId id = device.events().createId(PortSpace.TCP);
        boolean isBound = false;
        try {
            id.bind(address);
            isBound = true;
            return id;
        } finally {
            if (!isBound) {
                id.close();
            }
        }
    }

    /** Closes an ID, which may be null or closed with its context, and ends the use of the device. */
    static void release(StreamDevice device, CmId id) {
        try {
            if (id != null && !device.context().isClosed()) {
                id.close();
            }
        } finally {
            device.release();
        }
    }

    /** Waits until a stream is established, and returns it; closes it if that fails. */
    static RdmaStream await(RdmaStream stream, StreamWait wait) throws IOException, InterruptedException {
        boolean isConnected = false;
        try {
            wait.await(StreamWait.Goal.ESTABLISHED, StreamWait.NO_LIMIT);
            stream.finishConnect();
            isConnected = true;
            return stream;
        } finally {
            if (!isConnected) {
                stream.close();
            }
        }
    }
}
