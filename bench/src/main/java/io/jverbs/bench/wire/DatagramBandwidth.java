package io.jverbs.bench.wire;

import io.jverbs.bench.process.Sides;
import io.jverbs.bench.process.Workload;
import io.jverbs.bench.suite.SpinTimeout;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/**
 * Datagrams in one direction, with the window and the acknowledgement interval of the software device.
 */
final class DatagramBandwidth implements Workload {
    private static final int WINDOW = 24;
    private static final int ACKNOWLEDGED_TOGETHER = 12;
    private static final int ACKNOWLEDGEMENT_BYTES = 20;

    private final DatagramPair pair;
    private final int packets;
    private final int packetBytes;
    private int inFlight;

    DatagramBandwidth(Sides sides, int size) {
        packets = Packets.count(size);
        packetBytes = Packets.bytes(size);
        pair = new DatagramPair(sides, packetBytes);
    }

    @Override
    public void once() throws IOException {
        for (int i = 0; i < packets; i++) {
            long start = 0;
            for (int iteration = 1; inFlight == WINDOW; iteration++) {
                start = SpinTimeout.spin(iteration, start);
                pollAcknowledgement();
            }
            pair.send(packetBytes);
            inFlight++;
        }
    }

    private void pollAcknowledgement() throws IOException {
        if (pair.receive()) {
            inFlight -= ACKNOWLEDGED_TOGETHER;
        }
    }

    @Override
    public void drain() throws IOException {
        long start = 0;
        for (int iteration = 1; inFlight >= ACKNOWLEDGED_TOGETHER; iteration++) {
            start = SpinTimeout.spin(iteration, start);
            pollAcknowledgement();
        }
    }

    @Override
    public void serve(BooleanSupplier stopped) throws IOException {
        int received = 0;
        while (!stopped.getAsBoolean()) {
            if (pair.receive() && ++received == ACKNOWLEDGED_TOGETHER) {
                received = 0;
                pair.send(ACKNOWLEDGEMENT_BYTES);
            }
        }
    }

    @Override
    public void close() {
        pair.close();
    }
}
