package io.jverbs.rsocket;

import io.jverbs.VerbsException;
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmId;
import io.jverbs.cm.ConnectionParameters;
import io.jverbs.rsocket.RdmaStreamException.Reason;
import io.jverbs.rsocket.protocol.ConnectData;
import io.jverbs.rsocket.protocol.ProtocolViolation;
import io.jverbs.rsocket.protocol.StreamState;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The ID of a stream: the steps that establish the connection. The thread of the events calls {@link #onEvent}. */
final class Establishment {
    /** Unlimited: a message may arrive while the peer does not poll, and so posts no receives. */
    private static final int RNR_RETRIES = 7;

    private static final Logger LOG = LoggerFactory.getLogger(Establishment.class);

    private final StreamConnection stream;
    private final CmId id;
    /** The listener that has got the connect request; null for a client. */
    private final RdmaStreamListener listener;

    /** Takes the ID of a client, or of a connect request. */
    Establishment(StreamConnection stream, CmId id, RdmaStreamListener listener) {
        this.stream = stream;
        this.id = id;
        this.listener = listener;
    }

    CmId id() {
        return id;
    }

    boolean isServer() {
        return listener != null;
    }

    /** Begins to connect, from an address or, if that is null, from any. */
    void resolve(InetSocketAddress source, InetSocketAddress address) {
        id.userContext(stream);
        stream.device().add(stream);
        id.resolveAddress(source, address, stream.options().connectTimeout());
    }

    /** Accepts the connect request; returns false if the stream has ended meanwhile. */
    boolean accept(ConnectData peer) {
        id.userContext(stream);
        stream.device().add(stream);
        if (!stream.resources().createQueuePair()) {
            return false;
        }
        stream.peer(peer);
        id.accept(parameters(stream.queuePair()));
        return true;
    }

    private ConnectionParameters parameters(StreamQueuePair qp) {
        ByteBuffer data = qp.memory().connectData(stream.options().receiveQueueSize()).encode();
        return ConnectionParameters.builder().privateData(data).initiatorDepth(0).responderResources(0)
                .rnrRetryCount(RNR_RETRIES).build();
    }

    /** Takes the next step, or fails the stream. */
    void onEvent(CmEvent event) {
        try {
            step(event);
        } catch (ProtocolViolation e) {
            fail(Reason.PROTOCOL_ERROR, e.getMessage());
            disconnect();
        } catch (RuntimeException | Error e) {
            stream.failed("a step after " + event.type(), e);
            disconnect();
            ended();
            if (e instanceof Error) {
                LOG.warn("{} has failed", stream, e);
            }
        }
    }

    private void step(CmEvent event) {
        switch (event.type()) {
            case ADDR_RESOLVED -> {
                if (stream.state() == StreamState.CONNECTING) {
                    id.resolveRoute(stream.options().connectTimeout());
                }
            }
            case ROUTE_RESOLVED -> {
                if (stream.state() == StreamState.CONNECTING) {
                    connect();
                }
            }
            case ESTABLISHED -> {
                if (listener == null) {
                    stream.peer(ConnectData.decode(event.privateData()));
                }
                stream.established();
                if (listener != null) {
                    listener.established(stream);
                }
            }
            case REJECTED -> fail(Reason.REJECTED, event.explanation());
            case ADDR_ERROR, ROUTE_ERROR, UNREACHABLE ->
                fail(Reason.UNREACHABLE, event.type() + ", " + event.explanation());
            case CONNECT_ERROR, DEVICE_REMOVAL ->
                fail(Reason.DEVICE_FAILED, event.type() + ", " + event.explanation());
            case DISCONNECTED -> stream.disconnected();
            default -> {
                // the stream does not depend on the others
            }
        }
    }

    private void connect() {
        if (stream.resources().createQueuePair()) {
            id.connect(parameters(stream.queuePair()));
        }
    }

    private void fail(Reason reason, String explanation) {
        stream.fail(new RdmaStreamException(reason, stream.toString(), explanation));
        ended();
    }

    /** Tells the listener, if there is one, that the stream has ended before it was established. */
    void ended() {
        if (listener != null) {
            listener.ended(stream);
        }
    }

    /** Disconnects, if there is a connection. */
    void disconnect() {
        try {
            id.disconnect();
        } catch (VerbsException | IllegalStateException e) {
            // there was no connection, or the stream was closed meanwhile
        }
    }

    /** Rejects a connect request as librdmacm does, without private data. */
    static void reject(CmId id) {
        try {
            id.reject(ByteBuffer.allocate(0));
        } catch (VerbsException | IllegalStateException e) {
            // the request, or the context, has ended before
        }
    }
}
