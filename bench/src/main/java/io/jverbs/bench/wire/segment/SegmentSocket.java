package io.jverbs.bench.wire.segment;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.net.InetAddress;

/**
 * A UDP socket of Linux with segmentation offload: one call sends many datagrams of one size (UDP_SEGMENT), and one
 * call receives the datagrams that arrived together (UDP_GRO); see udp(7).
 */
@SuppressWarnings("restricted")
public final class SegmentSocket implements AutoCloseable {
    private static final int AF_INET = 2;
    private static final int SOCK_DGRAM = 2;
    private static final int SOL_SOCKET = 1;
    private static final int SO_SNDBUF = 7;
    private static final int SO_RCVBUF = 8;
    private static final int SOL_UDP = 17;
    private static final int UDP_SEGMENT = 103;
    private static final int UDP_GRO = 104;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int SOCKET_BUFFER = 4 << 20;
    private static final int ADDRESS_BYTES = 16;
    private static final int MAX_BYTES = 1 << 16;
    private static final MethodHandle SOCKET = function("socket",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle BIND = function("bind",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle SETSOCKOPT = function("setsockopt",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle SENDTO = function("sendto",
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle RECV = function("recv",
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle CLOSE = function("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    private final Arena arena = Arena.ofShared();
    private final MemorySegment out = arena.allocate(MAX_BYTES);
    private final MemorySegment in = arena.allocate(MAX_BYTES);
    private final MemorySegment peer;
    private final int socket;

    /**
     * Opens a socket.
     *
     * @param own the IPv4 address to bind
     * @param other the IPv4 address to send to
     * @param port the port of both sockets
     * @param segmentBytes the size of each datagram
     */
    public SegmentSocket(String own, String other, int port, int segmentBytes) throws IOException {
        peer = address(other, port);
        try {
            socket = check("socket", (int) SOCKET.invokeExact(AF_INET, SOCK_DGRAM, 0));
            check("bind", (int) BIND.invokeExact(socket, address(own, port), ADDRESS_BYTES));
            set(SOL_SOCKET, SO_SNDBUF, SOCKET_BUFFER);
            set(SOL_SOCKET, SO_RCVBUF, SOCKET_BUFFER);
            set(SOL_UDP, UDP_SEGMENT, segmentBytes);
            set(SOL_UDP, UDP_GRO, 1);
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static MethodHandle function(String name, FunctionDescriptor type) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().find(name).orElseThrow(), type);
    }

    private void set(int level, int option, int value) throws Throwable {
        MemorySegment number = arena.allocateFrom(JAVA_INT, value);
        check("setsockopt " + option, (int) SETSOCKOPT.invokeExact(socket, level, option, number, Integer.BYTES));
    }

    private static int check(String call, int result) throws IOException {
        if (result < 0) {
            throw new IOException(call + " returned " + result);
        }
        return result;
    }

    /** {@return a {@code struct sockaddr_in}: the family in host order, port and address in network order} */
    private MemorySegment address(String ip, int port) throws IOException {
        MemorySegment address = arena.allocate(ADDRESS_BYTES, Integer.BYTES);
        address.set(JAVA_SHORT_UNALIGNED, 0, (short) AF_INET);
        MemorySegment.copy(MemorySegment.ofArray(new byte[] {(byte) (port >>> Byte.SIZE), (byte) port}), 0, address, 2,
                2);
        MemorySegment.copy(MemorySegment.ofArray(InetAddress.getByName(ip).getAddress()), 0, address, 4, 4);
        return address;
    }

    /** {@return the memory that {@link #send} sends} */
    public MemorySegment out() {
        return out;
    }

    /** {@return the memory that {@link #receive} writes} */
    public MemorySegment in() {
        return in;
    }

    /** Sends a number of bytes as datagrams; returns false if the system does not accept them now. */
    public boolean send(long bytes) {
        try {
            return (long) SENDTO.invokeExact(socket, out, bytes, MSG_DONTWAIT, peer, ADDRESS_BYTES) >= 0;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Receives without waiting; returns the number of bytes, negative if there are no datagrams. */
    public long receive() {
        try {
            return (long) RECV.invokeExact(socket, in, (long) MAX_BYTES, MSG_DONTWAIT);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try {
            int ignored = (int) CLOSE.invokeExact(socket);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
        arena.close();
    }
}
