package io.jverbs.soft.fabric.udp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LocalAddressesTest {
    private final LocalAddresses addresses = new LocalAddresses();
    private Set<InetAddress> present = Set.of();
    private int listed;
    private long now;

    /** Packets to the host's own addresses do not leave it; on most test machines, some are no loopback addresses. */
    @Test
    void eachAddressOfAnInterfaceIsWithinTheHost() throws Exception {
        List<InetAddress> own = NetworkInterface.networkInterfaces().flatMap(NetworkInterface::inetAddresses).toList();
        for (InetAddress address : own) {
            assertTrue(addresses.contains(address), address::toString);
        }
    }

    /** The addresses are loopback addresses, and ones for documentation, which no interface has. */
    @ParameterizedTest
    @CsvSource({"127.0.0.1, true", "127.9.9.9, true", "::1, true", "192.0.2.7, false", "2001:db8::7, false",
        "239.1.2.3, false"})
    void otherAddressesAreNotWithinTheHostUnlessTheyAreLoopbackAddresses(String address, boolean within)
            throws Exception {
        assertEquals(within, addresses.contains(InetAddress.getByName(address)));
    }

    @Test
    void anAddressThatTheHostGetsOrLosesCountsAfterASecond() throws Exception {
        InetAddress address = InetAddress.getByName("192.0.2.7");
        LocalAddresses host = new LocalAddresses(() -> {
            listed++;
            return present;
        }, () -> now);
        assertFalse(host.contains(address));
        present = Set.of(address);
        now = LocalAddresses.LIFE_NANOS;
        assertFalse(host.contains(address));
        assertEquals(1, listed);
        now++;
        assertTrue(host.contains(address));
        present = Set.of();
        assertTrue(host.contains(address));
        now += LocalAddresses.LIFE_NANOS + 1;
        assertFalse(host.contains(address));
        assertEquals(3, listed);
    }

    @Test
    void onlyLoopbackAddressesCountIfTheInterfacesCannotBeListed() throws Exception {
        LocalAddresses host = new LocalAddresses(() -> {
            throw new SocketException("no interfaces");
        }, () -> now);
        assertFalse(host.contains(InetAddress.getByName("192.0.2.7")));
        assertTrue(host.contains(InetAddress.getLoopbackAddress()));
    }
}
