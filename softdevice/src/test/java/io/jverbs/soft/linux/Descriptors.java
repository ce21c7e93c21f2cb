package io.jverbs.soft.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What tests do to descriptors that the device does not. */
public final class Descriptors {
    private static final int SO_NO_CHECK = 11;

    private Descriptors() {}

    /** Sends without UDP checksums, which Linux cannot do in segments (EIO). */
    public static void withoutChecksums(UdpSocket socket) {
        MemorySegment on = Arena.ofAuto().allocate(JAVA_INT);
        on.set(JAVA_INT, 0, 1);
        if (Libc.setsockopt(socket.descriptor(), Abi.SOL_SOCKET, SO_NO_CHECK, on) != 0) {
            throw new AssertionError("SO_NO_CHECK");
        }
    }

    /** How many descriptors this process has. */
    public static long count() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.count();
        }
    }
}
