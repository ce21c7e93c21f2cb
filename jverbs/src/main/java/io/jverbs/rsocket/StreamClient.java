package io.jverbs.rsocket;

import io.jverbs.RdmaContext;
import io.jverbs.cm.CmId;
import io.jverbs.cm.PortSpace;
import io.jverbs.rsocket.closing.Destruction;
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
        StreamDevice device = StreamDevice.acquire(context);
        CmId id = null;
        StreamConnection connection = null;
        boolean isStarted = false;
        try {
            id = device.events().createId(PortSpace.TCP);
            connection = StreamConnection.ofClient(device, options, address, id);
            RdmaStream stream = start(connection, source);
            isStarted = true;
            return stream;
        } finally {
            if (!isStarted) {
                end(device, id, connection);
            }
        }
    }

    /** Makes the stream of a connection, and begins to connect it. */
    static RdmaStream start(StreamConnection connection, InetSocketAddress source) {
        RdmaStream stream = new RdmaStream(connection);
        connection.establishment().resolve(source, connection.peerAddress());
        return stream;
    }

    /** Closes what there is of a stream that has not begun to connect: null for what there is not. */
    static void end(StreamDevice device, CmId id, StreamConnection connection) {
        if (connection != null) {
            connection.close();
        } else {
            release(device, id);
        }
    }

    /** Connects a stream: begins, and waits until it is established; closes it if that fails. */
    static RdmaStream connect(RdmaContext context, InetSocketAddress source, InetSocketAddress address,
            RdmaStreamOptions options) throws IOException, InterruptedException {
        RdmaStream stream = null;
        boolean isConnected = false;
        try {
            stream = begin(context, source, address, options);
            stream.awaitEstablished();
            isConnected = true;
            return stream;
        } finally {
            if (!isConnected && stream != null) {
                stream.close();
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

    /**
     * Closes an ID, which may be null or closed with its context, and ends the use of the device. After a failure, the
     * next call does what is left.
     */
    static void release(StreamDevice device, CmId id) {
        if (id != null && !device.context().isClosed()) {
            Destruction.uninterrupted(id::close);
        }
        device.release();
    }
}
