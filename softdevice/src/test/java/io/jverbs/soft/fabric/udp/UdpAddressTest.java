package io.jverbs.soft.fabric.udp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class UdpAddressTest {

    /** Packets to the host's own addresses do not leave it; on most test machines, some are no loopback addresses. */
    @Test
    void eachAddressOfAnInterfaceIsWithinTheHost() throws Exception {
        List<InetAddress> own = NetworkInterface.networkInterfaces().flatMap(NetworkInterface::inetAddresses).toList();
        for (InetAddress address : own) {
            assertTrue(UdpAddress.isWithinHost(address), address::toString);
        }
    }

    /** The addresses are loopback addresses, and ones for documentation, which no interface has. */
    @ParameterizedTest
    @CsvSource({"127.0.0.1, true", "127.9.9.9, true", "::1, true", "192.0.2.7, false", "2001:db8::7, false",
        "239.1.2.3, false"})
    void otherAddressesAreNotWithinTheHostUnlessTheyAreLoopbackAddresses(String address, boolean within)
            throws Exception {
        assertEquals(within, UdpAddress.isWithinHost(InetAddress.getByName(address)));
    }
}
