package io.jverbs.samples.interop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The counter {@code RcvbufErrors} of Linux: datagrams that found the receive buffer of their UDP socket full. */
final class ReceiveBufferErrors {
    private static final Path COUNTERS = Path.of("/proc/self/net/snmp");

    private ReceiveBufferErrors() {}

    /** {@return the counter of the network namespace of this process} */
    static long count() throws IOException {
        List<String[]> udp = Files.readAllLines(COUNTERS).stream().filter(line -> line.startsWith("Udp: "))
                .map(line -> line.split(" ")).toList();
        int column = List.of(udp.get(0)).indexOf("RcvbufErrors");
        return Long.parseLong(udp.get(1)[column]);
    }
}
