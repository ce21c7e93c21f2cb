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

/** What tests do to descriptors that the device does not. */
public final class Descriptors {
    private static final int SO_NO_CHECK = 11;
    private static final int IP_DROP_MEMBERSHIP = 36;

    private Descriptors() {}

    /** Sends without UDP checksums, which Linux cannot do in segments (EIO). */
    public static void withoutChecksums(UdpSocket socket) {
        MemorySegment on = Arena.ofAuto().allocate(JAVA_INT);
        on.set(JAVA_INT, 0, 1);
        if (Libc.setsockopt(socket.descriptor(), Abi.SOL_SOCKET, SO_NO_CHECK, on) != 0) {
            throw new AssertionError("SO_NO_CHECK");
        }
    }

    /** Is a member of a group on an interface no more. */
    public static void leave(UdpSocket socket, InetAddress group, int index) {
        MemorySegment request = Arena.ofAuto().allocate(Abi.IP_MREQN_BYTES, Integer.BYTES);
        MemorySegment.copy(MemorySegment.ofArray(group.getAddress()), 0, request, Abi.IP_MREQN_MULTIADDR,
                Integer.BYTES);
        request.set(JAVA_INT, Abi.IP_MREQN_IFINDEX, index);
        if (Libc.setsockopt(socket.descriptor(), Abi.IPPROTO_IP, IP_DROP_MEMBERSHIP, request) != 0) {
            throw new AssertionError("IP_DROP_MEMBERSHIP");
        }
    }

    /** How much of the buffer of the socket with an IPv4 address messages take that have come, as /proc/net/udp says. */
    public static long queued(Gid address, int port) throws IOException {
        String local = "%08X:%04X".formatted(Integer.reverseBytes((int) address.low()), port);
        return Files.readAllLines(Path.of("/proc/net/udp")).stream().map(line -> line.trim().split("\\s+"))
                .filter(fields -> fields[1].equals(local))
                .mapToLong(fields -> Long.parseLong(fields[4].substring(fields[4].indexOf(':') + 1), 16)).sum();
    }

    /** How many descriptors this process has. */
    public static long count() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.count();
        }
    }
}
