package io.jverbs.contract.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.QpAttribute;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.cm.CmEventType;
import io.jverbs.cm.PortSpace;
import io.jverbs.contract.dsl.CmChannel;
import io.jverbs.contract.dsl.SideCmId;
import io.jverbs.contract.dsl.Qp;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.end.CmCommands.CmEventInfo;
import io.jverbs.contract.end.CmCommands.CmParams;
import io.jverbs.contract.end.QpAttr;
import io.jverbs.contract.fixture.Catalogue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how connections are established: events, parameters, private data, and the attributes of the queue pairs. */
final class EstablishmentContract extends CmContract {

    @Test
    @Catalogue({"K5", "K6", "K20", "K22"})
    void connectedQueuePairsCarryTrafficInBothDirections() {
        Connection connection = connect();
        assertDelivers(connection.pair());
        assertEquals(QpState.RTS, connection.left().state());
        assertEquals(QpState.RTS, connection.right().state());
    }

    @Test
    @Catalogue({"K15", "K16", "K52"})
    void privateDataHasTheLengthOfTheFieldAndIsFilledWithZeros() {
        CmChannel client = client();
        CmChannel server = server();
        SideCmId listener = server.listening(PortSpace.TCP);
        connecting(client, listener, CmParams.DEFAULT.data("hello".getBytes()));
        CmEventInfo request = server.expect(CmEventType.CONNECT_REQUEST);
        assertEquals("hello", text(request, 5));
        assertEquals(56, request.privateData().length);
        SideCmId passive = new SideCmId(server, request.id());
        passive.createQp(QpType.RC);
        passive.accept(CmParams.DEFAULT.data("welcome".getBytes()));
        CmEventInfo established = client.expect(CmEventType.ESTABLISHED);
        assertEquals("welcome", text(established, 7));
        assertEquals(196, established.privateData().length);
    }

    @ParameterizedTest
    @CsvSource({"56, true", "57, false"})
    @Catalogue({"K15", "K97", "K164"})
    void aConnectTakesAtMost56BytesOfPrivateData(int length, boolean allowed) {
        CmChannel client = client();
        CmChannel server = server();
        SideCmId active = client.create(PortSpace.TCP).resolve(server.listening(PortSpace.TCP).address());
        active.createQp(QpType.RC);
        CmParams parameters = CmParams.DEFAULT.data(new byte[length]);
        if (allowed) {
            active.connect(parameters);
            server.expect(CmEventType.CONNECT_REQUEST);
        } else {
            assertTrue(assertErrno(Errno.EINVAL, () -> active.connect(parameters)).getMessage().contains("0 to 56"));
            active.connect(CmParams.DEFAULT);
            server.expect(CmEventType.CONNECT_REQUEST);
        }
    }

    @ParameterizedTest
    @CsvSource({"196, true", "197, false"})
    @Catalogue({"K16", "K164"})
    void anAcceptTakesAtMost196BytesOfPrivateData(int length, boolean allowed) {
        CmChannel client = client();
        CmChannel server = server();
        connecting(client, server.listening(PortSpace.TCP), CmParams.DEFAULT);
        SideCmId passive = server.expectRequest();
        passive.createQp(QpType.RC);
        CmParams parameters = CmParams.DEFAULT.data(new byte[length]);
        if (allowed) {
            passive.accept(parameters);
            client.expect(CmEventType.ESTABLISHED);
        } else {
            assertErrno(Errno.EINVAL, () -> passive.accept(parameters));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"active", "passive"})
    @Catalogue({"K4", "K116"})
    void anAcceptOfAnEstablishedConnectionIsRefusedAndLeavesItsQueuePair(String who) {
        Connection connection = connect();
        SideCmId id = who.equals("active") ? connection.active() : connection.passive();
        String message = assertErrno(Errno.EINVAL, () -> id.accept(CmParams.DEFAULT)).getMessage();
        assertTrue(message.contains(" is in state ") && message.contains("allowed"), message);
        assertDelivers(connection.pair());
    }

    @Test
    @Catalogue({"K4", "K116", "K118"})
    void aCallThatIsRefusedLeavesTheQueuePair() {
        SideCmId id = client().bound(PortSpace.TCP);
        Qp qp = id.createQp(QpType.RC);
        String message = assertErrno(Errno.EINVAL, () -> id.accept(CmParams.DEFAULT)).getMessage();
        assertTrue(message.contains("the ID is in state ADDR_BOUND, allowed: [CONNECT"), message);
        assertErrno(Errno.EINVAL, id::disconnect);
        assertEquals(QpState.INIT, qp.state());
    }

    @Test
    @Catalogue({"K99", "K106"})
    void theAttributesOfAConnectionAreKnownWhenItsPeerIs() {
        CmChannel client = client();
        CmChannel server = server();
        SideCmId active = client.create(PortSpace.TCP);
        assertErrno(Errno.EINVAL, () -> active.attributes(QpState.INIT));
        active.resolve(server.listening(PortSpace.TCP).address());
        active.attributes(QpState.INIT);
        active.connect(CmParams.DEFAULT.qp(left.qp(QpType.RC).number()));
        assertErrno(Errno.EINVAL, () -> active.attributes(QpState.RTR));
        assertErrno(Errno.EINVAL, () -> active.attributes(QpState.RTS));
        SideCmId passive = server.expectRequest();
        passive.createQp(QpType.RC);
        passive.attributes(QpState.RTS);
        passive.accept(CmParams.DEFAULT);
        client.expect(CmEventType.CONNECT_RESPONSE);
        active.attributes(QpState.RTR);
    }

    @Test
    @Catalogue({"K17", "K18", "K92"})
    void theRequestHasThePeersNumbersFromThisSidesPointOfView() {
        CmChannel client = client();
        CmChannel server = server();
        SideCmId listener = server.listening(PortSpace.TCP);
        SideCmId active = connecting(client, listener, CmParams.DEFAULT.reads(3, 4).retries(5, 6));
        CmEventInfo request = server.expect(CmEventType.CONNECT_REQUEST);
        assertEquals(listener.id(), request.listener());
        assertNotEquals(listener.id(), request.id());
        assertEquals(4, request.responderResources());
        assertEquals(3, request.initiatorDepth());
        assertEquals(5, request.retryCount());
        assertEquals(6, request.rnrRetryCount());
        SideCmId passive = new SideCmId(server, request.id());
        assertEquals(listener.address(), passive.info().local());
        assertEquals(active.info().local(), passive.info().peer());
        assertEquals(1, passive.info().port());
    }

    @Test
    @Catalogue({"K53"})
    void retryCountsAbove7AreTakenFor7() {
        CmChannel server = server();
        connecting(client(), server.listening(PortSpace.TCP), CmParams.DEFAULT.retries(8, 200));
        CmEventInfo request = server.expect(CmEventType.CONNECT_REQUEST);
        assertEquals(7, request.retryCount());
        assertEquals(7, request.rnrRetryCount());
    }

    @Test
    @Catalogue({"K17", "K99"})
    void moreReadsThanTheDeviceHasAreRefused() {
        CmChannel server = server();
        SideCmId active = client().create(PortSpace.TCP).resolve(server.listening(PortSpace.TCP).address());
        active.createQp(QpType.RC);
        int max = left.device().maxQpRdAtom();
        if (max < 254) {
            assertErrno(Errno.EINVAL, () -> active.connect(CmParams.DEFAULT.reads(max + 1, 1)));
        }
        active.connect(CmParams.DEFAULT);
        assertEquals(Math.min(255, left.device().maxQpInitRdAtom()),
                server.expect(CmEventType.CONNECT_REQUEST).responderResources());
    }

    @Test
    @Catalogue({"K19", "K103", "K106"})
    void theQueuePairsHaveTheAgreedAttributes() {
        Connection connection = connect(CmParams.DEFAULT.reads(3, 4).retries(5, 6),
                CmParams.DEFAULT.reads(2, 1).retries(1, 4));
        QpAttr leftAttributes = connection.left().query();
        QpAttr rightAttributes = connection.right().query();
        assertEquals(2, leftAttributes.values().get(QpAttribute.MAX_QP_RD_ATOMIC));
        assertEquals(2, rightAttributes.values().get(QpAttribute.MAX_DEST_RD_ATOMIC));
        assertEquals(1, leftAttributes.values().get(QpAttribute.MAX_DEST_RD_ATOMIC));
        assertEquals(1, rightAttributes.values().get(QpAttribute.MAX_QP_RD_ATOMIC));
        assertEquals(5, leftAttributes.values().get(QpAttribute.RETRY_CNT));
        assertEquals(5, rightAttributes.values().get(QpAttribute.RETRY_CNT));
        assertEquals(4, leftAttributes.values().get(QpAttribute.RNR_RETRY));
        assertEquals(6, rightAttributes.values().get(QpAttribute.RNR_RETRY));
        assertEquals(0, leftAttributes.values().get(QpAttribute.MIN_RNR_TIMER));
        assertEquals(leftAttributes.values().get(QpAttribute.SQ_PSN), rightAttributes.values().get(QpAttribute.RQ_PSN));
        assertEquals(rightAttributes.values().get(QpAttribute.SQ_PSN), leftAttributes.values().get(QpAttribute.RQ_PSN));
    }

    @Test
    @Catalogue({"K107"})
    void aQueuePairWithoutResponderResourcesRefusesReads() {
        CmChannel client = client();
        CmChannel server = server();
        Qp own = left.qp(QpType.RC);
        SideCmId active = connectingWith(own, client, server);
        SideCmId passive = server.expectRequest();
        passive.createQp(QpType.RC);
        passive.accept(CmParams.DEFAULT.reads(0, 0));
        client.expect(CmEventType.CONNECT_RESPONSE);
        own.modify(active.attributes(QpState.INIT));
        own.modify(active.attributes(QpState.RTR));
        assertEquals(0, active.attributes(QpState.RTS).values().get(QpAttribute.MAX_QP_RD_ATOMIC));
        own.modify(active.attributes(QpState.RTS).with(QpAttribute.MAX_QP_RD_ATOMIC, 1));
        active.establish();
        server.expect(CmEventType.ESTABLISHED);
        expect(own.execute(read(right.region(64), left.region(64).sge()))).error();
    }

    /** Returns an ID without a queue pair, which has sent a request with the number of a queue pair. */
    private static SideCmId connectingWith(Qp own, CmChannel client, CmChannel server) {
        SideCmId active = client.create(PortSpace.TCP).resolve(server.listening(PortSpace.TCP).address());
        active.connect(CmParams.DEFAULT.qp(own.number()));
        return active;
    }

    @Test
    @Catalogue({"K21"})
    void anIdWithoutAQueuePairGetsConnectResponseAndEstablishes() {
        CmChannel client = client();
        CmChannel server = server();
        Qp own = left.qp(QpType.RC);
        SideCmId active = connectingWith(own, client, server);
        SideCmId passive = server.expectRequest();
        Qp theirs = passive.createQp(QpType.RC);
        passive.accept(CmParams.DEFAULT);
        CmEventInfo response = client.expect(CmEventType.CONNECT_RESPONSE);
        assertEquals(theirs.number(), response.qpNumber());
        server.expectNothing();
        own.modify(active.attributes(QpState.INIT));
        own.modify(active.attributes(QpState.RTR));
        own.modify(active.attributes(QpState.RTS));
        active.establish();
        server.expect(CmEventType.ESTABLISHED);
        assertDelivers(new Connection(active, passive, own, theirs).pair());
    }

    @Test
    @Catalogue({"K99", "K161", "K162"})
    void connectAndAcceptRequireAQueuePair() {
        CmChannel server = server();
        SideCmId active = client().create(PortSpace.TCP).resolve(server.listening(PortSpace.TCP).address());
        assertErrno(Errno.EINVAL, () -> active.connect(CmParams.DEFAULT));
        active.createQp(QpType.RC);
        active.connect(CmParams.DEFAULT);
        SideCmId passive = server.expectRequest();
        assertErrno(Errno.EINVAL, () -> passive.accept(CmParams.DEFAULT));
    }

    @Test
    @Catalogue({"K73", "K141", "K161"})
    void aQueuePairRequiresADevice() {
        SideCmId id = client().create(PortSpace.TCP);
        assertErrno(Errno.EINVAL, () -> id.createQp(QpType.RC));
        CmChannel client = client();
        SideCmId wildcard = client.create(PortSpace.TCP);
        wildcard.bind(client.wildcard(0));
        assertErrno(Errno.EINVAL, () -> wildcard.createQp(QpType.RC));
        assertEquals(0, wildcard.info().port());
    }

    @Test
    @Catalogue({"K20", "K76", "K141"})
    void anIdHasOneQueuePairOfTheTypeOfItsPortSpace() {
        SideCmId id = client().bound(PortSpace.TCP);
        assertErrno(Errno.EINVAL, () -> id.createQp(QpType.UD));
        assertEquals(QpState.INIT, id.createQp(QpType.RC).state());
        assertErrno(Errno.EINVAL, () -> id.createQp(QpType.RC));
    }

    @ParameterizedTest
    @ValueSource(strings = {"resolve_route", "connect", "accept", "establish", "disconnect", "listen"})
    @Catalogue({"K4", "K12", "K13", "K81", "K96", "K116"})
    void aCallInTheWrongStateIsRefused(String call) {
        SideCmId id = client().bound(PortSpace.TCP);
        id.createQp(QpType.RC);
        assertErrno(Errno.EINVAL, () -> {
            switch (call) {
                case "resolve_route" -> id.resolveRoute();
                case "connect" -> id.connect(CmParams.DEFAULT);
                case "accept" -> id.accept(CmParams.DEFAULT);
                case "establish" -> id.establish();
                case "disconnect" -> id.disconnect();
                default -> {
                    id.listen(1);
                    id.listen(1);
                }
            }
        });
    }

    @Test
    @Catalogue({"K111"})
    void aReportOfCommunicationEstablishesAConnectionOnce() {
        CmChannel client = client();
        CmChannel server = server();
        SideCmId active = client.create(PortSpace.TCP).resolve(server.listening(PortSpace.TCP).address());
        active.connect(CmParams.DEFAULT.qp(left.qp(QpType.RC).number()));
        SideCmId passive = server.expectRequest();
        passive.createQp(QpType.RC);
        assertErrno(Errno.EINVAL, passive::notifyEstablished);
        passive.accept(CmParams.DEFAULT);
        client.expect(CmEventType.CONNECT_RESPONSE);
        passive.notifyEstablished();
        server.expect(CmEventType.ESTABLISHED);
        assertErrno(Errno.EISCONN, passive::notifyEstablished);
        active.establish();
        server.expectNothing();
    }

    @Test
    @Catalogue({"K14", "K51"})
    void aRequestBeyondTheBacklogSucceedsLater() {
        CmChannel client = client();
        CmChannel server = server();
        SideCmId listener = server.bound(PortSpace.TCP);
        listener.listen(1);
        connecting(client, listener, CmParams.DEFAULT);
        connecting(client, listener, CmParams.DEFAULT);
        server.expect(CmEventType.CONNECT_REQUEST);
        server.expect(CmEventType.CONNECT_REQUEST);
    }

    @Test
    @Catalogue({"K111", "K153"})
    void aPacketThatArrivesBeforeTheRtuIsReceived() {
        CmChannel client = client();
        CmChannel server = server();
        Qp own = left.qp(QpType.RC);
        SideCmId active = connectingWith(own, client, server);
        SideCmId passive = server.expectRequest();
        Qp theirs = passive.createQp(QpType.RC);
        theirs.postRecv(recv(right.region(64).sge()).id(3));
        passive.accept(CmParams.DEFAULT);
        client.expect(CmEventType.CONNECT_RESPONSE);
        own.modify(active.attributes(QpState.INIT));
        own.modify(active.attributes(QpState.RTR));
        own.modify(active.attributes(QpState.RTS));
        own.succeed(send(left.region(64).sge()));
        expect(theirs.awaitRecv()).success().id(3).bytes(64);
        passive.notifyEstablished();
        server.expect(CmEventType.ESTABLISHED);
        active.establish();
        server.expectNothing();
    }

    @Test
    @Catalogue({"K109"})
    void aQueuePairThatCannotBeMovedIsAConnectErrorAndTheRejThatFollowsIsNotReported() {
        CmChannel client = client();
        CmChannel server = server();
        SideCmId active = client.create(PortSpace.TCP).resolve(server.listening(PortSpace.TCP).address());
        Qp qp = active.createQp(QpType.RC);
        active.connect(CmParams.DEFAULT);
        SideCmId passive = server.expectRequest();
        passive.createQp(QpType.RC);
        qp.modify(QpState.ERR);
        passive.accept(CmParams.DEFAULT);
        assertEquals(-1, client.expect(CmEventType.CONNECT_ERROR).status());
        assertEquals(QpState.ERR, qp.state());
        passive.destroy();
        client.expectNothing();
    }
}
