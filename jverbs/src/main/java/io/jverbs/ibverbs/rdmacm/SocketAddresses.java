package io.jverbs.ibverbs.rdmacm;

import io.jverbs.ffm.ibverbs.sockaddr_in;
import io.jverbs.ffm.ibverbs.sockaddr_in6;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;

/** Converts socket addresses to and from {@code struct sockaddr_in} and {@code sockaddr_in6}; see ip(7) and ipv6(7). */
final class SocketAddresses {
    private static final short AF_INET = 2;
    private static final short AF_INET6 = 10;
    private static final int IPV4_BYTES = 4;
    private static final int IPV6_BYTES = 16;

    private SocketAddresses() {}

    /** Returns a struct of the address, in which all other bytes are 0. */
    static MemorySegment write(InetSocketAddress from, SegmentAllocator allocator) {
        InetAddress host = from.getAddress();
        if (host instanceof Inet6Address address) {
            MemorySegment to = sockaddr_in6.allocate(allocator);
            sockaddr_in6.sin6_family(to, AF_INET6);
            sockaddr_in6.sin6_port(to, network((short) from.getPort()));
            copy(address.getAddress(), sockaddr_in6.sin6_addr(to));
            sockaddr_in6.sin6_scope_id(to, address.getScopeId());
            return to;
        }
        MemorySegment to = sockaddr_in.allocate(allocator);
        sockaddr_in.sin_family(to, AF_INET);
        sockaddr_in.sin_port(to, network((short) from.getPort()));
        copy(host.getAddress(), sockaddr_in.sin_addr(to));
        return to;
    }

    /** Returns the address in a struct, or null if it has none or one of another family. */
    static InetSocketAddress read(MemorySegment from) {
        return switch (sockaddr_in.sin_family(from)) {
            case AF_INET -> new InetSocketAddress(address(bytes(sockaddr_in.sin_addr(from), IPV4_BYTES), 0),
                    Short.toUnsignedInt(network(sockaddr_in.sin_port(from))));
            case AF_INET6 -> new InetSocketAddress(
                    address(bytes(sockaddr_in6.sin6_addr(from), IPV6_BYTES), sockaddr_in6.sin6_scope_id(from)),
                    Short.toUnsignedInt(network(sockaddr_in6.sin6_port(from))));
            default -> null;
        };
    }

    private static InetAddress address(byte[] bytes, int scope) {
        try {
            return scope == 0
                    ? InetAddress.getByAddress(bytes)
                    : Inet6Address.getByAddress(null, bytes, scope);
        } catch (UnknownHostException e) {
            // only for another number of bytes
            throw new AssertionError(e);
        }
    }

    private static void copy(byte[] from, MemorySegment to) {
        MemorySegment.copy(from, 0, to, ValueLayout.JAVA_BYTE, 0, from.length);
    }

    private static byte[] bytes(MemorySegment from, int count) {
        return from.asSlice(0, count).toArray(ValueLayout.JAVA_BYTE);
    }

    /** Converts a number from host byte order to network byte order, or back. */
    private static short network(short number) {
        return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? Short.reverseBytes(number) : number;
    }
}
