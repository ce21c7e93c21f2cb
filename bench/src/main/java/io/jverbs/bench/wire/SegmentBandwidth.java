package io.jverbs.bench.wire;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Datagrams in one direction, as many with each system call as the system takes. The other side answers with how many have
 * come.
 */
final class SegmentBandwidth implements Contest {
    private static final int PORT = 4790;
    private static final int MOST_BYTES = 65_507;
    /** Calls' worth of datagrams that are not acknowledged: as many as the device has under way. */
    private static final int CALLS = 6;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final SegmentSocket socket;
    private final int packets;
    private final int packetBytes;
    private final int burst;
    /** Null if datagrams are not checked. */
    private final SegmentChecksums outgoing;
    private final SegmentChecksums incoming;
    private long sent;
    private long acknowledged;

    /**
     * Opens one side.
     *
     * @param sides the addresses
     * @param size the bytes of a message
     * @param checked whether each datagram ends with a CRC of what is before, as packets of RoCEv2 do
     */
    SegmentBandwidth(Sides sides, int size, boolean checked) throws IOException {
        packets = Packets.count(size);
        packetBytes = Packets.bytes(size);
        burst = MOST_BYTES / packetBytes;
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
            } else if (System.nanoTime() - start > PATIENCE_NANOS) {
                throw new IOException("datagrams were lost");
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
        long came = 0;
        while (!stopped.getAsBoolean()) {
            long bytes = socket.receive();
            if (bytes > 0) {
                int arrived = (int) (bytes / packetBytes);
                if (incoming != null) {
                    incoming.check(arrived);
                }
                came += arrived;
                socket.out().set(JAVA_LONG, 0, came);
                socket.send(Long.BYTES);
            }
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}
