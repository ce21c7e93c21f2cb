package io.jverbs.soft.fabric.udp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.AhAttributes;
import io.jverbs.CompletionQueue;
import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.Mtu;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.RdmaDevice;
import io.jverbs.Verbs;
import io.jverbs.VerbsException;
import io.jverbs.contract.fixture.BindsAgain;
import io.jverbs.control.DeviceRemoval;
import io.jverbs.control.PortControl;
import io.jverbs.soft.LoopbackAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.channels.DatagramChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Software devices with an IPv6 address, as far as they can be tested on a machine with one such address. */
@BindsAgain
final class UdpDevicesIpv6Test {
    private static final String LOOPBACK = "soft:[::1]";
    private static final int PORT = 4791;

    @BeforeEach
    void assumeIpv6Loopback() throws Exception {
        Assumptions.assumeTrue(NetworkInterface.getByInetAddress(InetAddress.getByName("::1")) != null,
                "this machine has no ::1");
    }

    @AfterEach
    void remove() {
        Verbs.devices().stream().filter(device -> device.name().equals("::1"))
                .forEach(device -> device.capability(DeviceRemoval.class).orElseThrow().remove());
    }

    // A17, A18, A10
    @Test
    void aDeviceHasItsDefaultGidAndItsAddress() {
        try (RdmaContext context = Verbs.open(LOOPBACK)) {
            assertTrue(context.queryGid(1, 0).toString().startsWith("fe80::"));
            assertEquals(Gid.parse("::1"), context.queryGid(1, 1));
            assertEquals(1, context.preferredGid(1).index());
            assertEquals(Mtu.MTU_4096, context.queryPort(1).activeMtu());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0:0:0:0:0:0:0:1", "::0001", "0::1", "::1%lo", "::0.0.0.1"})
    void everySpellingSelectsTheSameDevice(String address) throws Exception {
        Assumptions.assumeTrue(!address.contains("%lo") || NetworkInterface.getByName("lo") != null,
                "the loopback interface is not lo");
        RdmaDevice device = Verbs.select(LOOPBACK);
        RdmaDevice spelled = Verbs.select("soft:[" + address + "]");

        assertEquals("::1", spelled.name());
        assertEquals(LOOPBACK, spelled.selector());
        assertEquals(1, Verbs.devices().stream().filter(each -> each.nodeGuid() == device.nodeGuid()).count());
    }

    @Test
    void theNodeGuidDiffersFromThatOfTheIpv4AddressWithTheSameBits() {
        assertEquals(0x0000_00FF_FE00_0001L, Gid.ofMac(new byte[] {2, 0, 0, 0, 0, 1}).low());
        assertTrue(Verbs.select(LOOPBACK).nodeGuid() != 0x0000_00FF_FE00_0001L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2001:db8::77", "::", "ff02::1", "2001:db8::77%1", "fe80::77%1", "fe80::77"})
    void anAddressOfAnotherMachineIsRefusedWithTheLocalAddresses(String address) {
        VerbsException failure = assertThrows(VerbsException.class, () -> Verbs.open("soft:[" + address + "]"));

        assertEquals(Errno.EADDRNOTAVAIL, failure.error());
        assertTrue(failure.getMessage().contains(" is not an address of this machine; its IPv6 addresses are ["),
                failure::getMessage);
        assertTrue(failure.getMessage().contains("::1"), failure::getMessage);
        assertTrue(!failure.getMessage().contains("127.0.0.1"), failure::getMessage);
    }

    // the zone is checked although the device exists
    @Test
    void anAddressOfAnotherInterfaceIsRefused() throws Exception {
        Verbs.open(LOOPBACK).close();
        String other = NetworkInterface.networkInterfaces().map(NetworkInterface::getName)
                .filter(name -> !name.startsWith("lo")).findFirst().orElse(null);
        Assumptions.assumeTrue(other != null, "this machine has only the loopback interface");
        VerbsException failure = assertThrows(VerbsException.class, () -> Verbs.open("soft:[::1%" + other + "]"));

        assertEquals(Errno.EADDRNOTAVAIL, failure.error());
        assertTrue(failure.getMessage().contains("::1%" + other + " is not an address"), failure::getMessage);
    }

    @Test
    void aDeviceIsNotOpenedBothWithAndWithoutTheWireOption() {
        Verbs.open(LOOPBACK).close();
        VerbsException failure = assertThrows(VerbsException.class, () -> Verbs.open(LOOPBACK + "?fabric=wire"));

        assertEquals(Errno.EBUSY, failure.error());
        assertTrue(failure.getMessage().contains("soft:[::1] already exists in this JVM without ?fabric=wire"),
                failure::getMessage);
    }

    @Test
    void aDeviceWhoseGidIsInUseDoesNotOccupyItsUdpPort() throws Exception {
        RdmaDevice other = Verbs.select("soft");
        PortControl control = other.capability(PortControl.class).orElseThrow();
        int index = control.addGid(1, Gid.parse("::1"));
        try {
            VerbsException failure = assertThrows(VerbsException.class, () -> Verbs.open(LOOPBACK));
            assertTrue(failure.getMessage().contains("::1 is in use on this network already"), failure::getMessage);
        } finally {
            control.removeGid(1, index);
        }
        Verbs.open(LOOPBACK).close();
    }

    @Test
    void anUnknownInterfaceIsNamed() {
        VerbsException failure = assertThrows(VerbsException.class, () -> Verbs.open("soft:[fe80::1%nosuch]"));

        assertEquals(Errno.ENODEV, failure.error());
        assertTrue(failure.getMessage().contains("no interface nosuch"), failure::getMessage);
    }

    @Test
    void anIpv4AddressInIpv6FormIsRefusedWithTheRightForm() {
        IllegalArgumentException failure = assertThrows(IllegalArgumentException.class,
                () -> Verbs.open("soft:[::ffff:127.0.0.1]"));

        assertTrue(failure.getMessage().contains("is the IPv4 address 127.0.0.1: use soft:127.0.0.1"),
                failure::getMessage);
    }

    @ParameterizedTest
    @ValueSource(strings = {"soft:[::g]", "soft:[1:2:3]", "soft:[127.0.0.1]", "soft:[]", "soft:::1", "soft:[::1",
        "soft:[::1%]"})
    void anInvalidIpv6AddressIsRefusedWithTheForm(String selector) {
        IllegalArgumentException failure = assertThrows(IllegalArgumentException.class, () -> Verbs.open(selector));

        assertTrue(failure.getMessage().contains("an IPv6 target in brackets"), failure::getMessage);
    }

    @Test
    void anUnknownOptionIsRefusedWithTheGrammar() {
        IllegalArgumentException failure = assertThrows(IllegalArgumentException.class,
                () -> Verbs.open(LOOPBACK + "?fabric=air"));

        assertTrue(failure.getMessage().contains("soft:[A:B::C][?fabric=wire]"), failure::getMessage);
    }

    @Test
    void aUdpPortInUseIsRefusedAndOpensWhenItIsFree() throws Exception {
        try (DatagramChannel holder = DatagramChannel.open().bind(new InetSocketAddress("::1", PORT))) {
            assertTrue(holder.isOpen());
            VerbsException failure = assertThrows(VerbsException.class, () -> Verbs.open(LOOPBACK));

            assertEquals(Errno.EADDRINUSE, failure.error());
            assertTrue(failure.getMessage().contains("UDP port 4791 of ::1 is in use"), failure::getMessage);
        }
        Verbs.open(LOOPBACK).close();
    }

    // A10: the IPv6 header is 20 bytes longer than the IPv4 header
    @ParameterizedTest
    @CsvSource({"4188, fd00::1, 4096", "4187, fd00::1, 2048", "4168, 192.0.2.1, 4096", "4167, 192.0.2.1, 2048",
        "1500, fd00::1, 1024", "1280, fd00::1, 1024"})
    void aPathMtuLeavesRoomForTheHeaders(int room, String address, int mtu) {
        assertEquals(mtu, UdpFabricType.mtu(room, Gid.parse(address)).bytes());
    }

    // there is no route between the address families: F30, H10
    @Test
    void anIpv4PeerCannotBeReachedFromAnIpv6Address() {
        assertOtherFamily(LOOPBACK, Gid.parse("::ffff:" + LoopbackAddress.next()));
    }

    @Test
    void anIpv6PeerCannotBeReachedFromAnIpv4Address() {
        assertOtherFamily("soft:" + LoopbackAddress.next(), Gid.parse("::1"));
    }

    private static void assertOtherFamily(String selector, Gid peer) {
        try (RdmaContext context = Verbs.open(selector)) {
            ProtectionDomain pd = context.allocatePd();
            CompletionQueue cq = context.createCompletionQueue(16);
            AhAttributes path = AhAttributes.to(peer, 1, context.preferredGid(1).index());

            QueuePair reliable = pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).build());
            reliable.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(0).build());
            assertOtherFamily(peer, () -> reliable
                    .modify(QpAttributes.builder().state(QpState.RTR).addressVector(path).pathMtu(Mtu.MTU_1024)
                            .destinationQpn(5).rqPsn(0).maxDestRdAtomic(1).minRnrTimer(1).build()));
            assertEquals(QpState.INIT, reliable.state());
            assertOtherFamily(peer, () -> pd.createAddressHandle(path));
        }
    }

    private static void assertOtherFamily(Gid peer, Executable command) {
        VerbsException refused = assertThrows(VerbsException.class, command);
        assertEquals(Errno.EINVAL, refused.error());
        assertTrue(refused.getMessage().contains("destination " + peer + " is an IPv"), refused::getMessage);
    }
}
