package io.jverbs.soft.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.jverbs.Gid;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Operations on file descriptors and sockets that only tests need. */
public final class Descriptors {
    /** The folder with the open file descriptors of this process. Only Linux has it. */
    public static final Path LIST = Path.of("/proc/self/fd");
    private static final int SO_NO_CHECK = 11;
    private static final int IP_DROP_MEMBERSHIP = 36;

    private Descriptors() {}

    /** Disables UDP checksums. Linux then rejects segmented sends (UDP_SEGMENT) with EIO. */
    public static void withoutChecksums(UdpSocket socket) {
        MemorySegment on = Arena.ofAuto().allocate(JAVA_INT);
        on.set(JAVA_INT, 0, 1);
        if (Libc.setsockopt(socket.descriptor(), Abi.SOL_SOCKET, SO_NO_CHECK, on) != 0) {
            throw new AssertionError("setsockopt(SO_NO_CHECK) failed");
        }
    }

    /** Leaves an IPv4 multicast group on an interface. */
    public static void leave(UdpSocket socket, InetAddress group, int index) {
        MemorySegment request = Arena.ofAuto().allocate(Abi.IP_MREQN_BYTES, Integer.BYTES);
        MemorySegment.copy(MemorySegment.ofArray(group.getAddress()), 0, request, Abi.IP_MREQN_MULTIADDR,
                Integer.BYTES);
        request.set(JAVA_INT, Abi.IP_MREQN_IFINDEX, index);
        if (Libc.setsockopt(socket.descriptor(), Abi.IPPROTO_IP, IP_DROP_MEMBERSHIP, request) != 0) {
            throw new AssertionError("setsockopt(IP_DROP_MEMBERSHIP) failed");
        }
    }

    /**
     * Returns the number of bytes that received messages occupy in the buffer of the socket with an IPv4 address, as
     * /proc/net/udp states.
     */
    public static long queued(Gid address, int port) throws IOException {
        String local = "%08X:%04X".formatted(Integer.reverseBytes((int) address.low()), port);
        return Files.readAllLines(Path.of("/proc/net/udp")).stream().map(line -> line.trim().split("\\s+"))
                .filter(fields -> fields[1].equals(local))
                .mapToLong(fields -> Long.parseLong(fields[4].substring(fields[4].indexOf(':') + 1), 16)).sum();
    }

    /** Returns the number of open file descriptors of this process. */
    public static long count() throws IOException {
        try (Stream<Path> all = Files.list(LIST)) {
            return all.count();
        }
    }
}
