package io.jverbs.soft.management;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import io.jverbs.soft.device.LocalDevice;
import io.jverbs.soft.fabric.LocalNetwork;
import io.jverbs.soft.management.communication.CmNetwork;
import io.jverbs.soft.management.communication.CmPath;
import io.jverbs.soft.management.message.CmAttribute;
import io.jverbs.soft.management.message.CmMessage;
import io.jverbs.soft.management.message.SidrReply;
import io.jverbs.spi.CmEventData;
import io.jverbs.spi.CmIdOps;
import io.jverbs.spi.CmParameters;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a program is told if messages of its peer come late or contradict what it expects. */
final class CmEventsTest {
    private final CmNetwork network = new CmNetwork(1, 0, 0);
    private final CmHost client = new CmHost(network, 1);
    private final CmHost server = new CmHost(network, 2);

    private static CmParameters parameters(int qpn) {
        return new CmParameters(new byte[0], 1, 1, false, 5, 6, false, qpn, 0);
    }

    private static Errno errno(Runnable task) {
        return assertThrows(VerbsException.class, task::run).error();
    }

    private void runMillis(long millis) {
        network.runUntil(network.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private void accept() {
        CmEventData request = server.next(CmEventType.CONNECT_REQUEST);
        request.id().owner("child");
        request.id().accept(parameters(200));
    }

    /** K57: the MRA for a REP that is sent again lets the peer wait. */
    @Test
    void aProgramMayEstablishAConnectionMoreThanAMinuteAfterTheResponse() {
        server.listen(server.address(CmHost.PORT), 1);
        CmIdOps active = client.connect(server, parameters(100));
        accept();
        client.next(CmEventType.CONNECT_RESPONSE);
        runMillis(69_000);
        assertEquals(1, client.device.agent().counters().sent(CmAttribute.MRA));
        assertEquals(2, server.device.agent().counters().sent(CmAttribute.REP));
        active.establish();
        server.next(CmEventType.ESTABLISHED);
        assertNull(client.poll());
    }

    /** K93: a REJ that arrives before the program has the new ID is not reported, and an accept fails. */
    @Test
    void aRequestThatThePeerHasGivenUpBeforeItIsRetrievedCannotBeAccepted() {
        server.listen(server.address(CmHost.PORT), 1);
        CmIdOps active = client.connect(server, parameters(100));
        runMillis(1);
        active.destroy();
        CmEventData request = server.next(CmEventType.CONNECT_REQUEST);
        request.id().owner("child");
        assertEquals(Errno.EINVAL, errno(() -> request.id().accept(parameters(200))));
        assertNull(server.poll());
        request.id().destroy();
    }

    /** K125: the columns are the Q_Key of the reply, the event and its status. */
    @ParameterizedTest
    @CsvSource({"0x01234567, ESTABLISHED, 0", "0x01234568, ADDR_ERROR, -22"})
    void aReplyToALookupWithAnotherQkeyIsAnError(int qkey, String event, int status) {
        CmIdOps listener = server.datagramId();
        listener.bind(server.address(CmHost.PORT));
        listener.listen(1);
        network.filter((mad, path) -> {
            if (mad.attribute() != CmAttribute.SIDR_REP) {
                return true;
            }
            SidrReply reply = (SidrReply) CmMessage.decode(mad);
            client.device.agent().receive(new SidrReply(reply.requestId(), reply.status(), reply.qpn(),
                    reply.serviceId(), qkey, reply.ece(), reply.additionalInfo(), reply.privateData())
                    .encode(mad.transactionId()), new CmPath(client.gid, server.gid));
            client.device.agent().run(() -> {});
            return false;
        });
        CmIdOps active = client.datagramId();
        client.resolve(active, server.address(CmHost.PORT));
        active.connect(parameters(100));
        accept();
        int type = event.equals("ESTABLISHED") ? CmEventType.ESTABLISHED : CmEventType.ADDR_ERROR;
        assertEquals(status, client.next(type).status());
        assertNull(client.poll());
    }

    /** K151. */
    @Test
    void eachDeviceHasAGuidOfItsOwn() {
        Set<Long> guids = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            LocalDevice device = new LocalDevice(i, new LocalNetwork(network));
            long guid = ((ConnectionManager) device.port().management()).caGuid();
            assertNotEquals(0, guid);
            guids.add(guid);
        }
        assertEquals(100, guids.size());
    }
}
