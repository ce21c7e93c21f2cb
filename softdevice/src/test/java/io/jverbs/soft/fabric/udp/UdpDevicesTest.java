package io.jverbs.soft.fabric.udp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.Mtu;
import io.jverbs.RdmaContext;
import io.jverbs.RdmaDevice;
import io.jverbs.Verbs;
import io.jverbs.VerbsException;
import io.jverbs.contract.fixture.BindsAgain;
import io.jverbs.control.DeviceRemoval;
import io.jverbs.soft.LoopbackAddress;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.channels.DatagramChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Software devices with an IPv4 address: their attributes, and the errors when they cannot be opened. */
@BindsAgain
final class UdpDevicesTest {
    private static final int PORT = 4791;
    private static final String ADDRESS = LoopbackAddress.next();

    @Test
    void aDeviceHasItsDefaultGidAndThatOfItsAddress() {
        try (RdmaContext context = Verbs.open("soft:" + ADDRESS)) {
            assertTrue(context.queryGid(1, 0).toString().startsWith("fe80::"));
            assertEquals(Gid.parse("::ffff:" + ADDRESS), context.queryGid(1, 1));
            assertEquals(Mtu.MTU_4096, context.queryPort(1).activeMtu());
        }
    }

    @Test
    void theSameAddressSelectsTheSameDevice() {
        assertEquals(Verbs.select("soft:" + ADDRESS).nodeGuid(), Verbs.select("soft:" + ADDRESS).nodeGuid());
    }

    @Test
    void aDeviceIsNotOpenedBothWithAndWithoutTheWireOption() {
        String selector = "soft:" + LoopbackAddress.next();
        Verbs.open(selector).close();
        VerbsException failure = assertThrows(VerbsException.class, () -> Verbs.open(selector + "?fabric=wire"));

        assertEquals(Errno.EBUSY, failure.error());
        assertTrue(failure.getMessage().contains("already exists in this JVM without ?fabric=wire"),
                failure::getMessage);
    }

    @Test
    void aDeviceIsNotOpenedWithAnotherCongestionControlThanItHas() {
        String selector = "soft:" + LoopbackAddress.next();
        Verbs.open(selector + "?congestion=dcqcn").close();
        Verbs.open(selector).close();
        VerbsException failure = assertThrows(VerbsException.class,
                () -> Verbs.open(selector + "?congestion=window"));

        assertEquals(Errno.EBUSY, failure.error());
        assertTrue(failure.getMessage().contains("already exists in this JVM with congestion=dcqcn"),
                failure::getMessage);
    }

    @Test
    void anAddressOfAnotherMachineIsRefusedWithTheLocalAddresses() {
        VerbsException failure = assertThrows(VerbsException.class, () -> Verbs.open("soft:192.0.2.77"));

        assertEquals(Errno.EADDRNOTAVAIL, failure.error());
        assertTrue(failure.getMessage().contains("192.0.2.77 is not an address of this machine"), failure::getMessage);
        assertTrue(failure.getMessage().contains("127.0.0.1"), failure::getMessage);
    }

    @Test
    void aUdpPortInUseIsRefusedAndOpensWhenItIsFree() throws Exception {
        String address = LoopbackAddress.next();
        try (DatagramChannel holder = DatagramChannel.open().bind(new InetSocketAddress(address, PORT))) {
            assertTrue(holder.isOpen());
            VerbsException failure = assertThrows(VerbsException.class, () -> Verbs.open("soft:" + address));

            assertEquals(Errno.EADDRINUSE, failure.error());
            assertTrue(failure.getMessage().contains("UDP port 4791 of " + address + " is in use"),
                    failure::getMessage);
        }
        Verbs.open("soft:" + address).close();
    }

    /** K155, L7: the column is whether the kernel has a device that may use the port. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aUdpPortInUseIsReportedWithTheRemediesForEachOwner(boolean kernelHasDevice) {
        String message = OpenFailure.inUse("127.0.0.1", new BindException("in use"), kernelHasDevice).getMessage();

        assertTrue(message.contains("Only one process can have it, and with it queue pair 1"), message);
        assertTrue(message.contains("use another address, such as"), message);
        assertEquals(kernelHasDevice, message.contains("rdma_rxe driver: use native:rxe0"), message);
    }

    @Test
    void aSocketThatTheSystemRefusesIsReportedWithTheRemedy() {
        VerbsException failure = OpenFailure.refused("127.0.0.1", new SocketException("Operation not permitted"));

        assertEquals(Errno.EACCES, failure.error());
        assertTrue(
                failure.getMessage().contains(
                        "UDP port 4791 of 127.0.0.1 cannot be opened (Operation not permitted): allow this process"),
                failure.getMessage());
    }

    @Test
    void aRemovedDeviceReleasesItsUdpPort() throws Exception {
        String address = LoopbackAddress.next();
        RdmaDevice device = Verbs.select("soft:" + address);
        device.capability(DeviceRemoval.class).orElseThrow().remove();

        DatagramChannel.open().bind(new InetSocketAddress(address, PORT)).close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"soft:127.0.0.31?fabric=air", "soft:127.0.0.31?speed=1"})
    void anUnknownOptionIsRefusedWithTheGrammar(String selector) {
        IllegalArgumentException failure = assertThrows(IllegalArgumentException.class, () -> Verbs.open(selector));

        assertTrue(failure.getMessage().contains("soft:A.B.C.D[?fabric=wire]"), failure::getMessage);
    }

    @ParameterizedTest
    @ValueSource(strings = {"soft:127.0.0.256", "soft:127.0.0", "soft:127.0.0.031", "soft:localhost"})
    void anInvalidAddressIsRefusedWithTheGrammar(String selector) {
        IllegalArgumentException failure = assertThrows(IllegalArgumentException.class, () -> Verbs.open(selector));

        assertTrue(failure.getMessage().contains("soft:A.B.C.D"), failure::getMessage);
    }
}
