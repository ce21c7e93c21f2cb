package io.jverbs.contract.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.QpType;
import io.jverbs.cm.CmEventType;
import io.jverbs.cm.PortSpace;
import io.jverbs.contract.dsl.CmChannel;
import io.jverbs.contract.dsl.SideCmId;
import io.jverbs.contract.end.CmCommands.CmEventInfo;
import io.jverbs.contract.end.CmCommands.CmOption;
import io.jverbs.contract.end.CmCommands.CmParams;
import io.jverbs.contract.fixture.Catalogue;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/** Tests addresses and ports: binding, resolving, listening, and options. */
final class BindContract extends CmContract {

    /** An address of no host, from a range for documentation. */
    private static final InetSocketAddress FOREIGN = new InetSocketAddress("198.51.100.77", 0);

    @Test
    @Catalogue({"K9", "K73", "K74"})
    void aWildcardAddressAndPort0GetAFreePortAndNoDevice() {
        CmChannel client = client();
        SideCmId id = client.create(PortSpace.TCP);
        assertNull(id.address());
        id.bind(client.wildcard(0));
        assertNotEquals(0, id.address().getPort());
        assertTrue(id.address().getAddress().isAnyLocalAddress());
        assertEquals(0, id.info().port());
    }

    @Test
    @Catalogue({"K9", "K71"})
    void aSpecificAddressSelectsTheDevice() {
        SideCmId id = client().bound(PortSpace.TCP);
        assertEquals(1, id.info().port());
    }

    @Test
    @Catalogue({"K50"})
    void anIdIsBoundOnce() {
        CmChannel client = client();
        SideCmId id = client.bound(PortSpace.TCP);
        assertErrno(Errno.EINVAL, () -> id.bind(client.address(0)));
    }

    @Test
    @Catalogue({"K9", "K50"})
    void anAddressThatTheDeviceDoesNotHaveIsRefused() {
        SideCmId id = client().create(PortSpace.TCP);
        assertErrno(Errno.ENODEV, () -> id.bind(FOREIGN), Errno.EADDRNOTAVAIL);
    }

    @Test
    @Catalogue({"K9", "K49"})
    void aPortOfASpecificAddressIsTakenOnce() {
        CmChannel client = client();
        InetSocketAddress address = client.bound(PortSpace.TCP).address();
        SideCmId second = client.create(PortSpace.TCP);
        assertErrno(Errno.EADDRINUSE, () -> second.bind(address));
        SideCmId wildcard = client.create(PortSpace.TCP);
        assertErrno(Errno.EADDRNOTAVAIL, () -> wildcard.bind(client.wildcard(address.getPort())));
    }

    @Test
    @Catalogue({"K64"})
    void portSpacesAreSeparate() {
        CmChannel client = client();
        InetSocketAddress address = client.bound(PortSpace.TCP).address();
        SideCmId datagram = client.create(PortSpace.UDP);
        datagram.bind(address);
        assertEquals(address, datagram.address());
    }

    @Test
    @Catalogue({"K38", "K68"})
    void idsThatReuseAddressesShareAPortUntilOneListens() {
        CmChannel client = client();
        SideCmId first = client.create(PortSpace.TCP);
        first.option(CmOption.REUSE_ADDRESS, 1);
        first.bind(client.address(0));
        SideCmId second = client.create(PortSpace.TCP);
        second.option(CmOption.REUSE_ADDRESS, 1);
        second.bind(first.address());
        assertErrno(Errno.EADDRINUSE, () -> first.listen(1));
        second.destroy();
        first.listen(1);
    }

    @Test
    @Catalogue({"K13", "K70"})
    void anIdThatIsNotBoundListensAtAnyPort() {
        SideCmId id = client().create(PortSpace.TCP);
        id.listen(1);
        assertNotEquals(0, id.address().getPort());
        assertErrno(Errno.EINVAL, () -> id.listen(1));
    }

    @Test
    @Catalogue({"K5", "K11", "K67", "K80"})
    void aResolvedIdHasAPortAndADevice() {
        CmChannel client = client();
        SideCmId listener = server().listening(PortSpace.TCP);
        SideCmId id = client.create(PortSpace.TCP);
        id.resolveAddress(listener.address());
        client.expect(CmEventType.ADDR_RESOLVED);
        assertEquals(left.gid().toInetAddress(), id.address().getAddress());
        assertNotEquals(0, id.address().getPort());
        assertEquals(listener.address(), id.info().peer());
        assertEquals(1, id.info().port());
    }

    @Test
    @Catalogue({"K77"})
    void sourceAndDestinationAreOfOneFamily() {
        SideCmId id = client().create(PortSpace.TCP);
        InetSocketAddress source = new InetSocketAddress("::1", 0);
        assertErrno(Errno.EINVAL, () -> id.resolveAddress(source, new InetSocketAddress("192.0.2.1", 1)));
    }

    @Test
    @Catalogue({"K13", "K88", "K92"})
    void aListenerAtTheWildcardAddressGetsRequestsForTheDevicesAddress() {
        CmChannel client = client();
        CmChannel server = server();
        SideCmId listener = server.create(PortSpace.TCP);
        listener.bind(server.wildcard(0));
        listener.listen(1);
        SideCmId active = client.create(PortSpace.TCP)
                .resolve(server.address(listener.address().getPort()));
        active.createQp(QpType.RC);
        active.connect(CmParams.DEFAULT);
        CmEventInfo request = server.expect(CmEventType.CONNECT_REQUEST);
        assertEquals(server.address(listener.address().getPort()),
                new SideCmId(server, request.id()).address());
    }

    @Test
    @Catalogue({"K38", "K62", "K83"})
    void optionsAreSetInTheStatesThatAllowThem() {
        CmChannel client = client();
        SideCmId id = client.bound(PortSpace.TCP);
        id.option(CmOption.TOS, 32);
        id.option(CmOption.ACK_TIMEOUT, 15);
        id.option(CmOption.FAMILY_ONLY, 1);
        assertErrno(Errno.EINVAL, () -> id.option(CmOption.REUSE_ADDRESS, 0));
        assertErrno(Errno.EINVAL, () -> id.option(CmOption.TOS, 256));
        assertErrno(Errno.EINVAL, () -> id.option(CmOption.ACK_TIMEOUT, 32));
        SideCmId datagram = client.bound(PortSpace.UDP);
        assertErrno(Errno.EINVAL, () -> datagram.option(CmOption.ACK_TIMEOUT, 15));
        id.listen(1);
        assertErrno(Errno.EINVAL, () -> id.option(CmOption.FAMILY_ONLY, 0));
    }
}
