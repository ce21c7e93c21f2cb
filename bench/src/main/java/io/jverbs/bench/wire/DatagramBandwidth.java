package io.jverbs.bench.wire;

import io.jverbs.bench.suite.Patience;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/** Datagrams in one direction, as many under way as the software device allows itself, acknowledged as often as it does. */
final class DatagramBandwidth implements Contest {
    private static final int WINDOW = 24;
    private static final int ACKNOWLEDGED = 12;
    private static final int ACKNOWLEDGEMENT_BYTES = 20;

    private final DatagramPair pair;
    private final int packets;
    private final int packetBytes;
    private int underWay;

    DatagramBandwidth(Sides sides, int size) {
        packets = Packets.count(size);
        packetBytes = Packets.bytes(size);
        pair = new DatagramPair(sides, packetBytes);
    }

    @Override
    public void once() throws IOException {
        for (int i = 0; i < packets; i++) {
            long began = 0;
            for (int turn = 1; underWay == WINDOW; turn++) {
                began = Patience.spin(turn, began);
                acknowledged();
            }
            pair.send(packetBytes);
            underWay++;
        }
    }

    private void acknowledged() throws IOException {
        if (pair.receive()) {
            underWay -= ACKNOWLEDGED;
        }
    }

    @Override
    public void drain() throws IOException {
        long began = 0;
        for (int turn = 1; underWay >= ACKNOWLEDGED; turn++) {
            began = Patience.spin(turn, began);
            acknowledged();
        }
    }

    @Override
    public void serve(BooleanSupplier stopped) throws IOException {
        int came = 0;
        while (!stopped.getAsBoolean()) {
            if (pair.receive() && ++came == ACKNOWLEDGED) {
                came = 0;
                pair.send(ACKNOWLEDGEMENT_BYTES);
            }
        }
    }

    @Override
    public void close() {
        pair.close();
    }
}
