package io.jverbs.soft.management;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.QpAttribute;
import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.VerbsException;
import io.jverbs.soft.management.communication.CmNetwork;
import io.jverbs.spi.CmEventData;
import io.jverbs.spi.CmIdOps;
import io.jverbs.spi.CmParameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Port spaces of IDs and the types of their queue pairs. */
final class PortSpacesTest {
    private static final int IB = 0x013F;

    private final CmNetwork network = new CmNetwork(1, 0, 0);
    private final CmHost client = new CmHost(network, 1);
    private final CmHost server = new CmHost(network, 2);

    private static CmParameters parameters(int qpn, String data) {
        return new CmParameters(data.getBytes(), 1, 1, false, 5, 6, false, qpn, 0);
    }

    private static CmIdOps child(CmEventData event) {
        return event.id();
    }

    /** K45, K64, K76: the ports of TCP and IB are different. */
    @ParameterizedTest
    @CsvSource({"0x13F, 0x13F, 4", "0x106, 0x106, 4", "0x106, 0x13F, 8", "0x13F, 0x106, 8"})
    void aRequestOfPortSpaceIbArrivesAtListenersOfPortSpaceIb(String listening, String connecting, int event) {
        server.listen(server.id(Integer.decode(listening), CmHost.RC), server.address(CmHost.PORT), 1);
        CmIdOps active = client.resolve(client.id(Integer.decode(connecting), CmHost.RC), server);
        active.connect(parameters(100, "x".repeat(ConnectionService.REQUEST_DATA)));
        CmHost told = event == CmEventType.CONNECT_REQUEST ? server : client;
        CmEventData next = told.next(event);
        if (told == server) {
            child(next).accept(parameters(200, ""));
            client.next(CmEventType.CONNECT_RESPONSE);
            assertEquals(200, active.qpAttributes(QpState.RTR).destinationQpn());
        }
    }

    /** K76: a REQ has the type of the queue pair, and the listener must be of the same type. */
    @ParameterizedTest
    @CsvSource({"3, 3, 4", "2, 3, 8", "3, 2, 8"})
    void aRequestArrivesAtListenersOfItsTypeOfQueuePair(int listening, int connecting, int event) {
        server.listen(server.id(IB, listening), server.address(CmHost.PORT), 1);
        CmIdOps active = client.resolve(client.id(IB, connecting), server);
        active.connect(parameters(100, ""));
        CmHost told = event == CmEventType.CONNECT_REQUEST ? server : client;
        CmEventData next = told.next(event);
        if (told == server) {
            child(next).accept(parameters(200, ""));
            client.next(CmEventType.CONNECT_RESPONSE);
            QpAttributes toRtr = active.qpAttributes(QpState.RTR);
            assertEquals(200, toRtr.destinationQpn());
            assertFalse(toRtr.present(QpAttribute.MAX_DEST_RD_ATOMIC), toRtr::toString);
            assertFalse(active.qpAttributes(QpState.RTS).present(QpAttribute.TIMEOUT));
        } else {
            assertEquals(28, next.status());
        }
    }

    /** K62. */
    @Test
    void anIdOfUcQueuePairsHasNoAckTimeout() {
        VerbsException refusal = assertThrows(VerbsException.class, () -> client.id(IB, CmHost.UC).option(3, 14));
        assertEquals(Errno.EINVAL, refusal.error());
        assertTrue(refusal.getMessage().contains("a UC ID has no ACK timeout"), refusal.getMessage());
    }

    @Test
    void anUnknownPortSpaceOrTypeIsRefusedWithThoseThatAreAllowed() {
        VerbsException refusal = assertThrows(VerbsException.class, () -> client.id(IB, CmHost.UD));
        assertEquals(Errno.EINVAL, refusal.error());
        assertTrue(refusal.getMessage().contains("IB (0x13f) with RC (2)"), refusal.getMessage());
    }
}
