package io.jverbs.endpoint;

import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.VerbsException;
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmId;
import io.jverbs.cm.ConnectionParameters;
import io.jverbs.cm.PortSpace;
import io.jverbs.endpoint.EndpointException.Reason;
import io.jverbs.endpoint.WireFormat.PrivateData;
import io.jverbs.endpoint.WorkQueues.SendQueue;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ID of a connection: the steps that establish the connection and end it. The thread that polls the events calls
 * {@link #onEvent}.
 */
final class Establishment {
    private static final Logger LOG = LoggerFactory.getLogger(Establishment.class);
    /** An RNR NAK would be an error of this package: the credits prevent it. */
    private static final int RNR_RETRIES = 0;

    private final Connection connection;
    private final EndpointOptions options;
    private final CmId id;

    /**
     * A connect request.
     *
     * @param listener the listener that has got it
     * @param id its ID
     * @param offer what the client has sent
     */
    record Request(Listener listener, CmId id, PrivateData offer) {}

    /**
     * The connect requests of a listener that could not be accepted. Peers can cause these at any rate, so only the
     * first one, the tenth, the hundredth and so on are logged as warnings; the others at level DEBUG. Thread-safe.
     */
    static final class Failures {
        private static final int BASE = 10;

        private final AtomicLong count = new AtomicLong();

        /** Counts and logs a request that could not be accepted. */
        void add(Listener listener, Throwable cause) {
            long number = count.incrementAndGet();
            if (isPower(number)) {
                LOG.warn("{} could not accept {} connect request{}; the cause of the latest is below, and level DEBUG"
                        + " logs all", listener, number, number == 1 ? "" : "s", cause);
            } else {
                LOG.debug("{} could not accept connect request {}", listener, number, cause);
            }
        }

        private static boolean isPower(long number) {
            long left = number;
            while (left % BASE == 0) {
                left /= BASE;
            }
            return left == 1;
        }
    }

    private Establishment(Connection connection, EndpointOptions options, CmId id) {
        this.connection = connection;
        this.options = options;
        this.id = id;
        id.userContext(connection);
    }

    /** Creates the ID of a client. */
    static Establishment ofClient(Connection connection, EndpointDevice device, EndpointOptions options) {
        return new Establishment(connection, options, device.events().channel().createId(PortSpace.TCP));
    }

    /** Takes the ID of a connect request. */
    static Establishment ofServer(Connection connection, EndpointOptions options, CmId id) {
        return new Establishment(connection, options, id);
    }

    /** Rejects a connect request; returns its ID. */
    static CmId reject(CmId child, String sentence) {
        try {
            child.reject(PrivateData.rejection(sentence));
        } catch (VerbsException e) {
            LOG.debug("The connect request of {} ended before it was rejected", child, e);
        }
        return child;
    }

    CmId id() {
        return id;
    }

    /** Begins to connect. */
    void resolve(InetSocketAddress address) {
        id.resolveAddress(address, Duration.ofNanos(options.connectNanos()));
    }

    /** Accepts the connect request. */
    void accept() {
        createQueuePair();
        id.accept(parameters());
    }

    private void createQueuePair() {
        QueuePair qp = id.createQueuePair(connection.device().pd(), QpInitAttributes.builder(QpType.RC)
                .cq(connection.device().completions().cq()).maxSendWr(SendQueue.capacity(options.sendBuffers()))
                .maxRecvWr(options.receiveBuffers() + Credits.CONTROL).build());
        connection.open(qp);
    }

    private ConnectionParameters parameters() {
        return ConnectionParameters.builder().privateData(PrivateData.of(options).encode()).initiatorDepth(0)
                .responderResources(0).rnrRetryCount(RNR_RETRIES).build();
    }

    /** Takes the next step, or ends the connection. After an Error, the caller calls {@link #failed}. */
    void onEvent(CmEvent event) {
        try {
            step(event);
        } catch (RuntimeException e) {
            failed(event, e);
        }
    }

    /**
     * Gives back what an accept that has failed has used.
     *
     * @param connection null if it was not created
     * @param user null if the connection has the device, or nothing has
     */
    static void abandon(Request request, Connection connection, EndpointDevice user, Throwable cause) {
        if (connection != null) {
            connection.end().abandon();
            return;
        }
        try {
            reject(request.id(), "the listener has no resources: " + cause.getMessage()).close();
        } finally {
            if (user != null) {
                user.release();
            }
        }
    }

    /** Ends the connection because the step after an event failed. */
    void failed(CmEvent event, Throwable failure) {
        connection.end().end(connection.end().failureOf("a step after " + event.type(), failure));
    }

    private void step(CmEvent event) {
        switch (event.type()) {
            case ADDR_RESOLVED -> {
                if (connection.advance(ConnectionState.RESOLVING_ROUTE)) {
                    id.resolveRoute(Duration.ofNanos(options.connectNanos()));
                }
            }
            case ROUTE_RESOLVED -> {
                createQueuePair();
                if (connection.advance(ConnectionState.CONNECTING)) {
                    id.connect(parameters());
                }
            }
            case ESTABLISHED -> established(event);
            case REJECTED -> connection.end().end(new EndpointException(Reason.REJECTED, connection.toString(),
                    rejection(event)));
            case ADDR_ERROR, ROUTE_ERROR, UNREACHABLE -> connection.end().end(new EndpointException(Reason.UNREACHABLE,
                    connection.toString(), unreachable(event)));
            case CONNECT_ERROR, DEVICE_REMOVAL -> connection.end().end(new EndpointException(Reason.DEVICE_FAILED,
                    connection.toString(), event.type() + ", " + event.explanation()));
            case DISCONNECTED -> connection.end().disconnected();
            default -> {
                // the connection does not depend on the others
            }
        }
    }

    /** Names the step that failed, the event and its status. */
    private static String unreachable(CmEvent event) {
        String failed = " failed with " + event.type() + ", " + event.explanation();
        return switch (event.type()) {
            case ADDR_ERROR -> ConnectionState.RESOLVING_ADDRESS.step() + failed;
            case ROUTE_ERROR -> ConnectionState.RESOLVING_ROUTE.step() + failed + "; "
                    + ConnectionState.RESOLVING_ROUTE.advice();
            default -> ConnectionState.CONNECTING.step() + failed;
        };
    }

    private static String rejection(CmEvent event) {
        String sentence = PrivateData.sentence(event.privateData());
        return sentence == null ? event.explanation() : "the listener says: " + sentence;
    }

    private void established(CmEvent event) {
        if (connection.isServer()) {
            connection.established(null);
            return;
        }
        try {
            connection.established(PrivateData.decode(event.privateData()));
        } catch (IllegalArgumentException e) {
            connection.end().end(new EndpointException(Reason.INCOMPATIBLE, connection.toString(), e.getMessage()));
        }
    }

    /** Disconnects if there is a connection, and moves the queue pair, if there is one, to ERR. */
    void disconnect() {
        try {
            id.disconnect();
        } catch (VerbsException e) {
            // there was no connection
            QueuePair qp = id.queuePair();
            if (qp != null) {
                qp.modify(QpAttributes.builder().state(QpState.ERR).build());
            }
        }
    }
}
