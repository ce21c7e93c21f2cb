package io.jverbs.bench.wire;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.bench.process.Sides;
import io.jverbs.bench.process.Workload;
import io.jverbs.bench.wire.segment.SegmentChecksums;
import io.jverbs.bench.wire.segment.SegmentSocket;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Datagrams in one direction, as many with each system call as the system accepts. The other side replies with the
 * number of datagrams that it has received.
 */
final class SegmentBandwidth implements Workload {
    private static final int PORT = 4790;
    private static final int MAX_BYTES = 65_507;
    /** The number of system calls whose datagrams may be unacknowledged, as in the software device. */
    private static final int CALLS = 6;
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final SegmentSocket socket;
    private final int packets;
    private final int packetBytes;
    private final int burst;
    /** The checksums of both directions; null if datagrams are not checked. */
    private final SegmentChecksums outgoing;
    private final SegmentChecksums incoming;
    private long sent;
    private long acknowledged;

    /**
     * Opens one side.
     *
     * @param sides the addresses
     * @param size the length of a message in bytes
     * @param checked whether each datagram ends with a CRC, as RoCEv2 packets do
     */
    SegmentBandwidth(Sides sides, int size, boolean checked) throws IOException {
        packets = Packets.count(size);
        packetBytes = Packets.bytes(size);
        burst = MAX_BYTES / packetBytes;
        socket = new SegmentSocket(sides.own(), sides.other(), PORT, packetBytes);
        outgoing = checked ? new SegmentChecksums(socket.out(), packetBytes) : null;
        incoming = checked ? new SegmentChecksums(socket.in(), packetBytes) : null;
    }

    @Override
    public void once() throws IOException {
        for (int left = packets; left > 0;) {
            int next = Math.min(left, burst);
            awaitRoom(next);
            if (outgoing != null) {
                outgoing.write(next);
            }
            while (!socket.send((long) next * packetBytes)) {
                Thread.onSpinWait();
            }
            sent += next;
            left -= next;
        }
    }

    private void awaitRoom(int next) throws IOException {
        if (hasRoom(next)) {
            return;
        }
        long start = System.nanoTime();
        while (!hasRoom(next)) {
            if (socket.receive() >= Long.BYTES) {
                acknowledged = socket.in().get(JAVA_LONG, 0);
            } else if (System.nanoTime() - start > TIMEOUT_NANOS) {
                throw new IOException("no acknowledgement within 5 s: datagrams were lost");
            }
        }
    }

    private boolean hasRoom(int next) {
        return sent + next - acknowledged <= (long) CALLS * burst;
    }

    @Override
    public void drain() throws IOException {
        awaitRoom(CALLS * burst);
    }

    @Override
    public void serve(BooleanSupplier stopped) {
        long total = 0;
        while (!stopped.getAsBoolean()) {
            long bytes = socket.receive();
            if (bytes > 0) {
                int received = (int) (bytes / packetBytes);
                if (incoming != null) {
                    incoming.check(received);
                }
                total += received;
                socket.out().set(JAVA_LONG, 0, total);
                socket.send(Long.BYTES);
            }
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}
