package io.jverbs.bench.wire;

import java.io.IOException;

/** Datagrams in one direction, as many under way as the software device allows itself, acknowledged as often as it does. */
final class DatagramStream implements Contest {
    private static final int WINDOW = 24;
    private static final int ACKNOWLEDGED = 12;
    private static final int ACKNOWLEDGEMENT_BYTES = 20;
    /** BTH and ICRC. */
    private static final int OVERHEAD = 16;
    private static final double MEGA = 1e6;

    private final Sides sides;
    private final DatagramPair pair;
    private final int mtu;
    private final int packets;

    DatagramStream(Sides sides, int mtu, int packets) {
        this.sides = sides;
        this.mtu = mtu;
        this.packets = packets / ACKNOWLEDGED * ACKNOWLEDGED;
        this.pair = new DatagramPair(sides, mtu + OVERHEAD);
    }

    @Override
    public double round() throws IOException {
        long start = System.nanoTime();
        if (sides.measures()) {
            send();
        } else {
            receive();
        }
        return (double) packets * mtu / ((System.nanoTime() - start) / 1e9) / MEGA;
    }

    private void send() throws IOException {
        int acknowledged = 0;
        for (int sent = 0; acknowledged < packets;) {
            while (sent < packets && sent - acknowledged < WINDOW) {
                pair.send(mtu + OVERHEAD);
                sent++;
            }
            pair.await();
            acknowledged += ACKNOWLEDGED;
        }
    }

    private void receive() throws IOException {
        for (int i = 1; i <= packets; i++) {
            pair.await();
            if (i % ACKNOWLEDGED == 0) {
                pair.send(ACKNOWLEDGEMENT_BYTES);
            }
        }
    }

    @Override
    public void close() {
        pair.close();
    }
}
