package io.jverbs.contract.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.Gid;
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
import io.jverbs.contract.fixture.Catalogue;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests UD IDs: the lookup of a queue pair with SIDR, and multicast. */
final class ServiceResolutionContract extends CmContract {
    private static final int UDP_QKEY = 0x0123_4567;
    private static final int UNSUPPORTED = 1;
    private static final int REJECTED = 2;
    private static final int GRH = 40;
    private static final AtomicInteger NEXT = new AtomicInteger(1);

    /** The number of a group that no other test uses, because tests may run in parallel. */
    private final int number = NEXT.getAndIncrement();

    private SideCmId asking(CmChannel client, SideCmId listener, String data) {
        SideCmId active = client.create(PortSpace.UDP).resolve(listener.address());
        active.createQp(QpType.UD);
        active.connect(CmParams.DEFAULT.data(data.getBytes()));
        return active;
    }

    @Test
    @Catalogue({"K33", "K34", "K35", "K52", "K126"})
    void theConnectorLearnsTheQueuePairOfThePeerAndSendsToIt() {
        CmChannel client = client();
        CmChannel server = server();
        SideCmId active = client.create(PortSpace.UDP).resolve(server.listening(PortSpace.UDP).address());
        Qp sender = active.createQp(QpType.UD);
        assertEquals(QpState.RTS, sender.state());
        active.connect(CmParams.DEFAULT.data("who".getBytes()));
        CmEventInfo request = server.expect(CmEventType.CONNECT_REQUEST);
        assertEquals("who", text(request, 3));
        assertEquals(180, request.privateData().length);
        SideCmId passive = new SideCmId(server, request.id());
        Qp receiver = passive.createQp(QpType.UD);
        Region inbound = right.region(GRH + 64);
        receiver.postRecv(recv(inbound.sge()));
        passive.accept(CmParams.DEFAULT.data("me".getBytes()));
        CmEventInfo established = client.expect(CmEventType.ESTABLISHED);
        assertEquals("me", text(established, 2));
        assertEquals(136, established.privateData().length);
        assertEquals(receiver.number(), established.qpNumber());
        assertEquals(UDP_QKEY, established.qkey());
        Region outbound = left.region(64);
        sender.succeed(send(outbound.sge()).to(left.ah(established.address()), established.qpNumber(),
                established.qkey()));
        expect(receiver.awaitRecv()).success().bytes(GRH + 64).from(sender);
        server.expectNothing();
    }

    @Test
    @Catalogue({"K34", "K124"})
    void aRejectedLookupIsUnreachableWithTheStatusAndThePrivateData() {
        CmChannel client = client();
        CmChannel server = server();
        asking(client, server.listening(PortSpace.UDP), "");
        server.expectRequest().reject("no".getBytes());
        CmEventInfo event = client.expect(CmEventType.UNREACHABLE);
        assertEquals(REJECTED, event.status());
        assertEquals("no", text(event, 2));
    }

    @Test
    @Catalogue({"K34", "K124"})
    void aLookupWithoutAListenerIsUnsupported() {
        CmChannel client = client();
        asking(client, server().bound(PortSpace.UDP), "");
        assertEquals(UNSUPPORTED, client.expect(CmEventType.UNREACHABLE).status());
    }

    @Test
    @Catalogue({"K59"})
    void aRequestThatIsDestroyedIsRejected() {
        CmChannel client = client();
        CmChannel server = server();
        asking(client, server.listening(PortSpace.UDP), "");
        server.expectRequest().destroy();
        assertEquals(REJECTED, client.expect(CmEventType.UNREACHABLE).status());
    }

    @ParameterizedTest
    @CsvSource({"connect, 180, true", "connect, 181, false", "accept, 136, true", "accept, 137, false"})
    @Catalogue({"K34", "K97", "K164"})
    void privateDataThatDoesNotFitIsRefused(String call, int length, boolean allowed) {
        CmChannel client = client();
        CmChannel server = server();
        SideCmId active = client.create(PortSpace.UDP).resolve(server.listening(PortSpace.UDP).address());
        active.createQp(QpType.UD);
        CmParams parameters = CmParams.DEFAULT.data(new byte[length]);
        if (call.equals("accept")) {
            active.connect(CmParams.DEFAULT);
            SideCmId passive = server.expectRequest();
            passive.createQp(QpType.UD);
            if (allowed) {
                passive.accept(parameters);
                client.expect(CmEventType.ESTABLISHED);
            } else {
                assertErrno(Errno.EINVAL, () -> passive.accept(parameters));
            }
        } else if (allowed) {
            active.connect(parameters);
            server.expect(CmEventType.CONNECT_REQUEST);
        } else {
            assertErrno(Errno.EINVAL, () -> active.connect(parameters));
        }
    }

    /**
     * Returns the address of a group, of the address family of the devices. A port of Linux that has joined it by IGMP
     * receives its own packets to the group, so it is none of those that queue pairs are attached to in other tests.
     */
    private InetAddress group() {
        try {
            return InetAddress.getByName(left.gid().isIpv4Mapped()
                    ? "239.2.%d.%d".formatted(number >>> Byte.SIZE & 0xFF, number & 0xFF)
                    : "ff15::2:%x".formatted(number));
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @Catalogue({"K36", "K128"})
    void aMemberOfAGroupReceivesWhatIsSentToIt() {
        CmChannel client = client();
        CmChannel server = server();
        SideCmId member = server.bound(PortSpace.UDP);
        Qp receiver = member.createQp(QpType.UD);
        Region inbound = right.region(GRH + 64);
        receiver.postRecv(recv(inbound.sge()));
        member.join(group(), false);
        CmEventInfo joined = server.expect(CmEventType.MULTICAST_JOIN);
        assertEquals(0xFF_FFFF, joined.qpNumber());
        assertEquals(UDP_QKEY, joined.qkey());
        assertTrue(joined.address().destination().isMulticast());
        SideCmId other = client.bound(PortSpace.UDP);
        Qp sender = other.createQp(QpType.UD);
        other.join(group(), true);
        CmEventInfo path = client.expect(CmEventType.MULTICAST_JOIN);
        Region outbound = left.region(64);
        sender.succeed(send(outbound.sge()).to(left.ah(path.address()), path.qpNumber(), path.qkey()));
        expect(receiver.awaitRecv()).success().bytes(GRH + 64);
        member.leave(group());
        other.leave(group());
    }

    @Test
    @Catalogue({"K127", "K129"})
    void aGroupIsLeftAsOftenAsItWasJoined() {
        CmChannel client = client();
        SideCmId id = client.bound(PortSpace.UDP);
        id.createQp(QpType.UD);
        for (int i = 0; i < 2; i++) {
            id.join(group(), false);
            client.expect(CmEventType.MULTICAST_JOIN);
        }
        id.leave(group());
        id.leave(group());
        assertErrno(Errno.EADDRNOTAVAIL, () -> id.leave(group()));
    }

    @Test
    @Catalogue({"K36", "K127"})
    void aGroupIsJoinedByABoundUdId() {
        CmChannel client = client();
        SideCmId unbound = client.create(PortSpace.UDP);
        assertErrno(Errno.EINVAL, () -> unbound.join(group(), false), Errno.ENODEV);
        SideCmId connected = client.bound(PortSpace.TCP);
        assertErrno(Errno.EINVAL, () -> connected.join(group(), false));
        SideCmId listener = client.listening(PortSpace.UDP);
        assertErrno(Errno.EINVAL, () -> listener.join(group(), false));
    }

    @Test
    @Catalogue({"K127", "K129"})
    void theEventOfAJoinIsDiscardedIfTheGroupIsLeftBefore() {
        CmChannel server = server();
        SideCmId member = server.bound(PortSpace.UDP);
        member.createQp(QpType.UD);
        member.join(group(), false);
        member.leave(group());
        server.expectNothing();
    }

    @ParameterizedTest
    @CsvSource({"leave", "destroy"})
    @Catalogue({"K127", "K131"})
    void anIdEndsAlsoIfTheProgramHasDetachedItsQueuePair(String how) {
        CmChannel server = server();
        SideCmId member = server.bound(PortSpace.UDP);
        Qp receiver = member.createQp(QpType.UD);
        member.join(group(), false);
        Gid gid = server.expect(CmEventType.MULTICAST_JOIN).address().destination();
        right.end().detachMulticast(receiver.id(), gid, 0);
        if (how.equals("leave")) {
            member.leave(group());
        }
        member.destroy();
    }

    @Test
    @Catalogue({"K37", "K127", "K129"})
    void aQueuePairStaysInAGroupWhenOnlyItsMembershipToSendEnds() {
        CmChannel client = client();
        CmChannel server = server();
        SideCmId member = server.bound(PortSpace.UDP);
        Qp receiver = member.createQp(QpType.UD);
        Region inbound = right.region(GRH + 64);
        receiver.postRecv(recv(inbound.sge()));
        member.join(group(), false);
        server.expect(CmEventType.MULTICAST_JOIN);
        member.join(group(), true);
        server.expect(CmEventType.MULTICAST_JOIN);
        // the latest membership
        member.leave(group());
        SideCmId other = client.bound(PortSpace.UDP);
        Qp sender = other.createQp(QpType.UD);
        other.join(group(), true);
        CmEventInfo path = client.expect(CmEventType.MULTICAST_JOIN);
        sender.succeed(send(left.region(64).sge()).to(left.ah(path.address()), path.qpNumber(), path.qkey()));
        expect(receiver.awaitRecv()).success().bytes(GRH + 64);
        member.leave(group());
    }

    @Test
    @Catalogue({"K37"})
    void anIdThatOnlySendsToAGroupReceivesNothing() {
        InetAddress group = group();
        CmChannel client = client();
        CmChannel server = server();
        SideCmId onlySends = server.bound(PortSpace.UDP);
        Qp other = onlySends.createQp(QpType.UD);
        other.postRecv(recv(right.region(GRH + 64).sge()));
        onlySends.join(group, true);
        server.expect(CmEventType.MULTICAST_JOIN);
        SideCmId member = server.bound(PortSpace.UDP);
        Qp receiver = member.createQp(QpType.UD);
        receiver.postRecv(recv(right.region(GRH + 64).sge()));
        receiver.postRecv(recv(right.region(GRH + 64).sge()));
        member.join(group, false);
        server.expect(CmEventType.MULTICAST_JOIN);
        SideCmId source = client.bound(PortSpace.UDP);
        Qp sender = source.createQp(QpType.UD);
        source.join(group, true);
        CmEventInfo path = client.expect(CmEventType.MULTICAST_JOIN);
        for (int i = 0; i < 2; i++) {
            sender.succeed(send(left.region(64).sge()).to(left.ah(path.address()), path.qpNumber(), path.qkey()));
            expect(receiver.awaitRecv()).success().bytes(GRH + 64);
        }
        other.recvCq().assertEmpty();
    }
}
