package io.jverbs.contract.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.jverbs.Errno;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.cm.CmEventType;
import io.jverbs.cm.PortSpace;
import io.jverbs.contract.dsl.CmChannel;
import io.jverbs.contract.dsl.SideCmId;
import io.jverbs.contract.dsl.Job;
import io.jverbs.contract.dsl.Qp;
import io.jverbs.contract.dsl.Side;
import io.jverbs.contract.end.CmCommands.CmEventInfo;
import io.jverbs.contract.end.CmCommands.CmParams;
import io.jverbs.contract.end.ControlCommands.Ability;
import io.jverbs.contract.fixture.Catalogue;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the end of connections, and the acknowledgement of events. */
final class DisconnectContract extends CmContract {

    @ParameterizedTest
    @ValueSource(strings = {"active", "passive", "both"})
    @Catalogue({"K28", "K29", "K31", "K117", "K118"})
    void eachSideIsDisconnectedOnceIfEitherDisconnects(String who) {
        Connection connection = connect();
        if (!who.equals("passive")) {
            connection.active().disconnect();
        }
        if (!who.equals("active")) {
            connection.passive().disconnect();
        }
        if (who.equals("active")) {
            connection.server().expect(CmEventType.DISCONNECTED);
            connection.passive().disconnect();
            connection.client().expect(CmEventType.DISCONNECTED);
        } else {
            connection.client().expect(CmEventType.DISCONNECTED);
            connection.active().disconnect();
            connection.server().expect(CmEventType.DISCONNECTED);
        }
        awaitError(connection.left());
        awaitError(connection.right());
        connection.client().expect(CmEventType.TIMEWAIT_EXIT);
        connection.server().expect(CmEventType.TIMEWAIT_EXIT);
        connection.client().expectNothing();
        connection.server().expectNothing();
    }

    @Test
    @Catalogue({"K28"})
    void aDisconnectFlushesTheQueuePairOfItsSide() {
        Connection connection = connect();
        connection.left().postRecv(recv(left.region(64).sge()).id(7));
        connection.active().disconnect();
        assertFlushed(connection.left().recvCq(), 7);
    }

    @Test
    @Catalogue({"K29", "K122"})
    void theQueuePairOfTheOtherSideStaysAsItIs() {
        Connection connection = connect();
        connection.active().disconnect();
        connection.server().expect(CmEventType.DISCONNECTED);
        assertEquals(QpState.RTS, connection.right().state());
    }

    @Test
    @Catalogue({"K32", "K59"})
    void theDestructionOfAConnectedIdDisconnectsThePeer() {
        Connection connection = connect();
        connection.active().destroy();
        connection.server().expect(CmEventType.DISCONNECTED);
    }

    @Test
    @Catalogue({"K135"})
    void theRemovalOfADeviceIsReportedToItsBoundIdsWhichCanOnlyBeDestroyed() {
        Side spare = spare();
        requires(spare, Ability.REMOVAL);
        CmChannel channel = new CmChannel(spare);
        SideCmId idle = channel.create(PortSpace.TCP);
        SideCmId wildcard = channel.create(PortSpace.TCP);
        wildcard.bind(channel.wildcard(0));
        wildcard.listen(1);
        SideCmId silent = channel.create(PortSpace.TCP);
        silent.bind(channel.wildcard(0));
        SideCmId listener = channel.listening(PortSpace.TCP);
        SideCmId active = channel.create(PortSpace.TCP).resolve(listener.address());
        active.createQp(QpType.RC);
        active.connect(CmParams.DEFAULT);
        SideCmId passive = channel.expectRequest();
        spare.end().removeDevice();
        Set<Integer> told = new HashSet<>();
        for (int i = 0; i < 3; i++) {
            told.add(channel.expect(CmEventType.DEVICE_REMOVAL).id());
        }
        assertEquals(Set.of(listener.id(), active.id(), passive.id()), told);
        channel.expectNothing();
        assertErrno(Errno.EINVAL, () -> passive.accept(CmParams.DEFAULT));
        assertErrno(Errno.EINVAL, active::disconnect);
        assertErrno(Errno.EINVAL, () -> idle.bind(channel.address(0)));
        assertErrno(Errno.ENODEV, () -> channel.create(PortSpace.TCP));
        for (SideCmId each : List.of(idle, passive, active, listener, wildcard)) {
            each.destroy();
        }
    }

    @Test
    @Catalogue({"K28", "K118"})
    void anIdThatNeverConnectedCannotDisconnect() {
        SideCmId id = client().bound(PortSpace.TCP);
        assertErrno(Errno.EINVAL, id::disconnect);
    }

    @ParameterizedTest
    @ValueSource(strings = {"REQ_SENT", "REQ_RCVD", "REP_SENT", "REP_RCVD"})
    @Catalogue({"K118"})
    void aDisconnectBeforeTheConnectionIsEstablishedDoesNotEndIt(String state) {
        CmChannel client = client();
        CmChannel server = server();
        SideCmId active = client.create(PortSpace.TCP).resolve(server.listening(PortSpace.TCP).address());
        active.connect(CmParams.DEFAULT.qp(left.qp(QpType.RC).number()));
        SideCmId passive = server.expectRequest();
        if (state.startsWith("REQ")) {
            (state.equals("REQ_SENT") ? active : passive).disconnect();
        }
        passive.accept(CmParams.DEFAULT.qp(right.qp(QpType.RC).number()));
        client.expect(CmEventType.CONNECT_RESPONSE);
        if (state.startsWith("REP")) {
            (state.equals("REP_RCVD") ? active : passive).disconnect();
        }
        active.establish();
        server.expect(CmEventType.ESTABLISHED);
        active.disconnect();
        server.expect(CmEventType.DISCONNECTED);
        passive.disconnect();
        client.expect(CmEventType.DISCONNECTED);
    }

    @Test
    @Catalogue({"K118"})
    void aDisconnectBeforeTheResponseMovesTheQueuePairToErrSoTheConnectFails() {
        CmChannel client = client();
        CmChannel server = server();
        SideCmId active = client.create(PortSpace.TCP).resolve(server.listening(PortSpace.TCP).address());
        Qp qp = active.createQp(QpType.RC);
        active.connect(CmParams.DEFAULT);
        SideCmId passive = server.expectRequest();
        active.disconnect();
        assertEquals(QpState.ERR, qp.state());
        passive.createQp(QpType.RC);
        passive.accept(CmParams.DEFAULT);
        client.expect(CmEventType.CONNECT_ERROR);
    }

    @Test
    @Catalogue({"K2", "K3"})
    void theDestructionOfAnIdWaitsUntilItsEventsAreAcknowledged() {
        CmChannel client = client();
        SideCmId id = client.create(PortSpace.TCP);
        id.resolveAddress(server().listening(PortSpace.TCP).address());
        CmEventInfo event = client.keep(CmEventType.ADDR_RESOLVED);
        Job closing = left.background(end -> end.destroy(id.id()));
        closing.assertBlocked();
        left.end().ackCmEvent(event.event());
        closing.await();
    }

    @Test
    @Catalogue({"K3"})
    void theDestructionOfAnIdDiscardsTheEventsThatWereNotRetrieved() {
        CmChannel client = client();
        SideCmId id = client.create(PortSpace.TCP);
        id.resolveAddress(server().listening(PortSpace.TCP).address());
        // the event is in the channel when an event of another ID is
        SideCmId other = client.create(PortSpace.TCP);
        id.destroy();
        other.resolveAddress(server().listening(PortSpace.TCP).address());
        assertEquals(other.id(), client.expect(CmEventType.ADDR_RESOLVED).id());
    }

    @Test
    @Catalogue({"K3"})
    void aChannelWithIdsCannotBeDestroyed() {
        CmChannel client = client();
        SideCmId id = client.create(PortSpace.TCP);
        assertErrno(Errno.EBUSY, () -> left.end().destroy(client.id()));
        id.destroy();
        left.end().destroy(client.id());
    }

    @Test
    @Catalogue({"K8", "K134"})
    void anIdMovesToAnotherChannelWithItsEvents() {
        CmChannel first = client();
        CmChannel second = client();
        SideCmId id = first.create(PortSpace.TCP);
        id.resolveAddress(server().listening(PortSpace.TCP).address());
        left.end().cmMigrate(id.id(), second.id());
        assertEquals(id.id(), second.expect(CmEventType.ADDR_RESOLVED).id());
        id.resolveRoute();
        assertEquals(id.id(), second.expect(CmEventType.ROUTE_RESOLVED).id());
        first.expectNothing();
    }

    @Test
    @Catalogue({"K134"})
    void childrenOfAMovedListenerArriveAtItsNewChannel() {
        CmChannel first = server();
        CmChannel second = server();
        SideCmId listener = first.listening(PortSpace.TCP);
        listener.migrate(second);
        connecting(client(), listener, CmParams.DEFAULT);
        second.expect(CmEventType.CONNECT_REQUEST);
    }

    @Test
    @Catalogue({"K134"})
    void aRequestThatWaitsMovesWithItsListener() {
        CmChannel client = client();
        CmChannel first = server();
        CmChannel second = server();
        SideCmId listener = first.listening(PortSpace.TCP);
        connecting(client, listener, CmParams.DEFAULT);
        // when this request arrives, the former one has arrived
        CmChannel other = server();
        connecting(client(), other.listening(PortSpace.TCP), CmParams.DEFAULT);
        other.expectRequest();
        listener.migrate(second);
        SideCmId passive = second.expectRequest();
        // it has no ID any more
        right.end().destroy(first.id());
        passive.createQp(QpType.RC);
        passive.accept(CmParams.DEFAULT);
        client.expect(CmEventType.ESTABLISHED);
        second.expect(CmEventType.ESTABLISHED);
        passive.disconnect();
        client.expect(CmEventType.DISCONNECTED);
    }

    @Test
    @Catalogue({"K1", "K133"})
    void anEmptyChannelReturnsNothing() {
        CmChannel client = client();
        assertFalse(left.end().awaitCmEvent(client.id(), 0) != null);
    }

    @Test
    @Catalogue({"K66"})
    void theDestructionOfAListenerFreesItsPortAndItsChildrenLiveOn() {
        CmChannel client = client();
        CmChannel server = server();
        SideCmId listener = server.listening(PortSpace.TCP);
        SideCmId active = client.create(PortSpace.TCP).resolve(listener.address());
        active.createQp(QpType.RC);
        active.connect(CmParams.DEFAULT);
        SideCmId passive = server.expectRequest();
        InetSocketAddress address = listener.address();
        listener.destroy();
        SideCmId again = server.create(PortSpace.TCP);
        again.bind(address);
        passive.createQp(QpType.RC);
        passive.accept(CmParams.DEFAULT);
        client.expect(CmEventType.ESTABLISHED);
        server.expect(CmEventType.ESTABLISHED);
    }

    @Test
    @Catalogue({"K8", "K134"})
    void anIdMovesOnceItsEventsAreAcknowledged() {
        CmChannel first = client();
        CmChannel second = client();
        SideCmId id = first.create(PortSpace.TCP);
        id.resolveAddress(server().listening(PortSpace.TCP).address());
        CmEventInfo event = first.keep(CmEventType.ADDR_RESOLVED);
        Job moving = left.background(end -> end.cmMigrate(id.id(), second.id()));
        moving.assertBlocked();
        left.end().ackCmEvent(event.event());
        moving.await();
        id.resolveRoute();
        assertEquals(id.id(), second.expect(CmEventType.ROUTE_RESOLVED).id());
    }
}
