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
        return begin(context, null, null, source, address, options);
    }

    /** Begins to connect a stream. It takes over the use of the device, and the ID, which is bound. */
    static RdmaStream begin(StreamDevice device, CmId bound, InetSocketAddress address, RdmaStreamOptions options) {
        return begin(device.context(), device, bound, null, address, options);
    }

    private static RdmaStream begin(RdmaContext context, StreamDevice used, CmId bound, InetSocketAddress source,
            InetSocketAddress address, RdmaStreamOptions options) {
        StreamDevice device = used;
        CmId id = bound;
        StreamConnection connection = null;
        boolean isStarted = false;
        try {
            device = device == null ? StreamDevice.acquire(context) : device;
            id = id == null ? device.events().createId(PortSpace.TCP) : id;
            connection = StreamConnection.ofClient(device, options, address, id);
            RdmaStream stream = new RdmaStream(connection);
            connection.establishment().resolve(source, address);
            isStarted = true;
            return stream;
        } finally {
            if (!isStarted) {
                if (connection != null) {
                    connection.close();
                } else if (device != null) {
                    release(device, id);
                }
            }
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
}
