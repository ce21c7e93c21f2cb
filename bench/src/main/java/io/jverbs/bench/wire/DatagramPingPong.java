package io.jverbs.bench.wire;

import java.io.IOException;

/** Datagrams that go back and forth between two processes that spin. */
final class DatagramPingPong implements Contest {
    private final Sides sides;
    private final DatagramPair pair;
    private final int size;
    private final int iterations;
    private final Latencies latencies;

    DatagramPingPong(Sides sides, int size, int iterations) {
        this.sides = sides;
        this.pair = new DatagramPair(sides, size);
        this.size = size;
        this.iterations = iterations;
        this.latencies = new Latencies(iterations);
    }

    @Override
    public double round() throws IOException {
        latencies.clear();
        for (int i = 0; i < iterations; i++) {
            long start = System.nanoTime();
            if (sides.measures()) {
                pair.send(size);
            }
            pair.await();
            if (!sides.measures()) {
                pair.send(size);
            }
            latencies.add(System.nanoTime() - start);
        }
        return latencies.medianHalf();
    }

    @Override
    public void close() {
        pair.close();
    }
}
