package io.jverbs.samples.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.jverbs.Ece;
import io.jverbs.RdmaContext;
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmEventChannel;
import io.jverbs.cm.CmEventType;
import io.jverbs.cm.CmId;
import io.jverbs.cm.ConnectionParameters;
import io.jverbs.cm.PortSpace;
import java.net.InetSocketAddress;

/**
 * The two sides of a connection of IDs without queue pairs, which give each other options of ECE (enhanced connection
 * establishment). Queue pairs of rxe0 have none, but the kernel transports those of such IDs on every device.
 */
final class EceConnection {
    private static final Ece OFFER = new Ece(0xAB_CDEF, 0x8123_4567);
    private static final Ece RESPONSE = new Ece(0x12_3456, 0x789A_BCDE);
    /**
     * The numbers of queue pairs that do not exist: nothing is sent. They differ, because a request with a number of
     * an earlier connection of the same device would be rejected as stale.
     */
    private static final int OFFERING = 0x101;
    private static final int ACCEPTING = 0x102;

    private EceConnection() {}

    private static ConnectionParameters parameters(int queuePair) {
        return ConnectionParameters.builder().queuePair(queuePair, false).build();
    }

    private static CmId next(CmEventChannel channel, CmEventType type) throws InterruptedException {
        try (CmEvent event = channel.awaitEvent(ConnectionJvm.LIMIT)) {
            assertNotNull(event, () -> "no " + type);
            assertEquals(type, event.type(), event::toString);
            return event.id();
        }
    }

    /**
     * Returns the text that {@link #offer} returns.
     *
     * @param byLibrdmacm whether librdmacm has sent the response, with the vendor of the request
     */
    static String responded(boolean byLibrdmacm) {
        return new Ece(byLibrdmacm ? OFFER.vendorId() : RESPONSE.vendorId(), RESPONSE.options()).toString();
    }

    /** Returns the text that {@link #accept} returns. */
    static String offered() {
        return OFFER.toString();
    }

    /** Connects; returns the options of the response. */
    static String offer(RdmaContext context, InetSocketAddress address) throws InterruptedException {
        try (CmEventChannel channel = CmEventChannel.create(context); CmId id = channel.createId(PortSpace.TCP)) {
            id.resolveAddress(address, ConnectionJvm.LIMIT);
            next(channel, CmEventType.ADDR_RESOLVED);
            id.resolveRoute(ConnectionJvm.LIMIT);
            next(channel, CmEventType.ROUTE_RESOLVED);
            id.options().localEce(OFFER);
            id.connect(parameters(OFFERING));
            next(channel, CmEventType.CONNECT_RESPONSE);
            String response = id.options().remoteEce().toString();
            id.establish();
            return response;
        }
    }

    /** Accepts a connect request; returns its options. */
    static String accept(RdmaContext context, InetSocketAddress address, Runnable listening)
            throws InterruptedException {
        try (CmEventChannel channel = CmEventChannel.create(context);
                CmId listener = channel.createId(PortSpace.TCP)) {
            listener.bind(address);
            listener.listen(1);
            listening.run();
            try (CmId id = next(channel, CmEventType.CONNECT_REQUEST)) {
                String request = id.options().remoteEce().toString();
                id.options().localEce(RESPONSE);
                id.accept(parameters(ACCEPTING));
                next(channel, CmEventType.ESTABLISHED);
                return request;
            }
        }
    }
}
