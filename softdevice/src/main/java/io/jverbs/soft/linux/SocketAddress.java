package io.jverbs.soft.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;

/**
 * Converts addresses of UDP sockets to and from the structs of C, {@code struct sockaddr_in} and {@code sockaddr_in6}.
 */
public final class SocketAddress {
    private static final ValueLayout.OfShort NETWORK_SHORT = JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt NETWORK_INT = JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong NETWORK_LONG = JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final long MAPPED = 0xFFFF_0000_0000L;
    private static final long LOW_32_BITS = 0xFFFF_FFFFL;

    private SocketAddress() {}

    /** {@return an address as a struct sockaddr_in or sockaddr_in6} */
    public static MemorySegment of(InetSocketAddress address) {
        boolean ipv6 = address.getAddress() instanceof Inet6Address;
        MemorySegment struct = Arena.ofAuto().allocate(ipv6 ? Abi.SOCKADDR_IN6_BYTES : Abi.SOCKADDR_IN_BYTES,
                Long.BYTES);
        struct.set(JAVA_SHORT, Abi.SOCKADDR_FAMILY, (short) (ipv6 ? Abi.AF_INET6 : Abi.AF_INET));
        struct.set(NETWORK_SHORT, Abi.SOCKADDR_PORT, (short) address.getPort());
        MemorySegment bytes = MemorySegment.ofArray(address.getAddress().getAddress());
        MemorySegment.copy(bytes, 0, struct, ipv6 ? Abi.SOCKADDR_IN6_ADDR : Abi.SOCKADDR_IN_ADDR, bytes.byteSize());
        if (address.getAddress() instanceof Inet6Address scoped) {
            struct.set(JAVA_INT, Abi.SOCKADDR_IN6_SCOPE, scoped.getScopeId());
        }
        return struct;
    }

    /** {@return the port of an address} */
    public static int port(MemorySegment address) {
        return address.get(NETWORK_SHORT, Abi.SOCKADDR_PORT) & 0xFFFF;
    }

    private static boolean isIpv6(MemorySegment address) {
        return address.get(JAVA_SHORT, Abi.SOCKADDR_FAMILY) == Abi.AF_INET6;
    }

    /** {@return the first 64 bits of an IPv6 address; of an IPv4 address those of ::ffff:a.b.c.d} */
    public static long high(MemorySegment address) {
        return isIpv6(address) ? address.get(NETWORK_LONG, Abi.SOCKADDR_IN6_ADDR) : 0;
    }

    /** {@return the last 64 bits of an IPv6 address; of an IPv4 address those of ::ffff:a.b.c.d} */
    public static long low(MemorySegment address) {
        return isIpv6(address)
                ? address.get(NETWORK_LONG, Abi.SOCKADDR_IN6_ADDR + Long.BYTES)
                : MAPPED | address.get(NETWORK_INT, Abi.SOCKADDR_IN_ADDR) & LOW_32_BITS;
    }
}
