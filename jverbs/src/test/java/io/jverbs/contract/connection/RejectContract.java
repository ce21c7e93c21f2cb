package io.jverbs.contract.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Errno;
import io.jverbs.QpType;
import io.jverbs.cm.CmEventType;
import io.jverbs.cm.PortSpace;
import io.jverbs.contract.dsl.CmChannel;
import io.jverbs.contract.dsl.SideCmId;
import io.jverbs.contract.dsl.Qp;
import io.jverbs.contract.end.CmCommands.CmEventInfo;
import io.jverbs.contract.end.CmCommands.CmParams;
import io.jverbs.contract.fixture.Catalogue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests connections that are rejected, or given up before they are established. */
final class RejectContract extends CmContract {
    private static final int CONSUMER_DEFINED = 28;
    private static final int INVALID_SERVICE_ID = 8;

    @Test
    @Catalogue({"K16", "K23", "K52", "K115"})
    void theConnectorGetsThePrivateDataOfARejectAndItsQueuePairIsInErr() {
        CmChannel client = client();
        CmChannel server = server();
        SideCmId active = client.create(PortSpace.TCP).resolve(server.listening(PortSpace.TCP).address());
        Qp qp = active.createQp(QpType.RC);
        active.connect(CmParams.DEFAULT);
        server.expectRequest().reject("no".getBytes());
        CmEventInfo rejected = client.expect(CmEventType.REJECTED);
        assertEquals(CONSUMER_DEFINED, rejected.status());
        assertEquals("no", text(rejected, 2));
        assertEquals(148, rejected.privateData().length);
        awaitError(qp);
    }

    @ParameterizedTest
    @CsvSource({"148, true", "149, false"})
    @Catalogue({"K16", "K164"})
    void aRejectTakesAtMost148BytesOfPrivateData(int length, boolean allowed) {
        CmChannel client = client();
        CmChannel server = server();
        connecting(client, server.listening(PortSpace.TCP), CmParams.DEFAULT);
        SideCmId passive = server.expectRequest();
        if (allowed) {
            passive.reject(new byte[length]);
            client.expect(CmEventType.REJECTED);
        } else {
            assertErrno(Errno.EINVAL, () -> passive.reject(new byte[length]));
            passive.reject(new byte[0]);
            client.expect(CmEventType.REJECTED);
        }
    }

    @Test
    @Catalogue({"K23", "K54"})
    void aPortWithoutAListenerIsRejectedWithReason8() {
        CmChannel client = client();
        CmChannel server = server();
        SideCmId bound = server.bound(PortSpace.TCP);
        connecting(client, bound, CmParams.DEFAULT);
        assertEquals(INVALID_SERVICE_ID, client.expect(CmEventType.REJECTED).status());
    }

    @Test
    @Catalogue({"K27", "K58"})
    void requestsOfADestroyedListenerAreRejected() {
        CmChannel client = client();
        CmChannel server = server();
        SideCmId listener = server.listening(PortSpace.TCP);
        connecting(client, listener, CmParams.DEFAULT);
        // when this request arrives, the former one has arrived
        CmChannel other = server();
        connecting(client(), other.listening(PortSpace.TCP), CmParams.DEFAULT);
        other.expectRequest();
        listener.destroy();
        assertEquals(CONSUMER_DEFINED, client.expect(CmEventType.REJECTED).status());
        server.expectNothing();
    }

    @Test
    @Catalogue({"K32", "K59"})
    void aConnectorThatIsDestroyedLeavesARequestThatCannotBeAccepted() {
        CmChannel client = client();
        CmChannel server = server();
        SideCmId active = connecting(client, server.listening(PortSpace.TCP), CmParams.DEFAULT);
        SideCmId passive = server.expectRequest();
        passive.createQp(QpType.RC);
        active.destroy();
        server.expect(CmEventType.REJECTED);
        assertErrno(Errno.EINVAL, () -> passive.accept(CmParams.DEFAULT));
    }

    @Test
    @Catalogue({"K32", "K59"})
    void aRequestThatIsDestroyedIsRejected() {
        CmChannel client = client();
        CmChannel server = server();
        connecting(client, server.listening(PortSpace.TCP), CmParams.DEFAULT);
        server.expectRequest().destroy();
        assertEquals(CONSUMER_DEFINED, client.expect(CmEventType.REJECTED).status());
    }

    @Test
    @Catalogue({"K114"})
    void aResponseCanBeRejected() {
        CmChannel client = client();
        CmChannel server = server();
        SideCmId active = client.create(PortSpace.TCP).resolve(server.listening(PortSpace.TCP).address());
        active.connect(CmParams.DEFAULT.qp(left.qp(QpType.RC).number()));
        SideCmId passive = server.expectRequest();
        passive.createQp(QpType.RC);
        passive.accept(CmParams.DEFAULT);
        client.expect(CmEventType.CONNECT_RESPONSE);
        active.reject("changed my mind".getBytes());
        assertEquals(CONSUMER_DEFINED, server.expect(CmEventType.REJECTED).status());
    }

    @Test
    @Catalogue({"K54", "K76"})
    void aRequestToAnotherPortSpaceIsRejected() {
        CmChannel client = client();
        CmChannel server = server();
        SideCmId listener = server.listening(PortSpace.UDP);
        connecting(client, listener, CmParams.DEFAULT);
        assertEquals(INVALID_SERVICE_ID, client.expect(CmEventType.REJECTED).status());
    }
}
