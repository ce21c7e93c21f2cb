package io.jverbs.bench.waiting;

import io.jverbs.bench.process.Workload;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A ping-pong over each of many connections, each with a thread of its own on both sides. An operation is a batch of
 * round trips, which are divided equally among the connections. The thread of the benchmark wakes the others at the
 * start of a batch, and the last thread that ends its share wakes the thread of the benchmark: one wake for each
 * connection and batch.
 */
final class ManyConnections implements Workload {
    /** The number of round trips of a batch, of all connections together. */
    static final int BATCH = 1024;
    /** The longest time of a batch. Connections that wait for messages fail earlier. */
    private static final long TIMEOUT_SECONDS = 30;
    /** How often the thread of the benchmark looks for failed threads. */
    private static final long CHECK_NANOS = 100_000_000;

    private final ConnectionEnds ends;
    private final boolean virtual;
    private final int connections;
    /** Null until the first batch, and on the side that responds. */
    private ConnectionThreads threads;
    /** The number of round trips of the present batch. Written before its number, read after it. */
    private int roundTrips;
    /** The thread of the benchmark. Written before the number of the batch, read after it. */
    private Thread waiting;
    /** The number of the present batch, from 1. */
    private volatile int batch;
    /** The number of threads that have not ended their shares of the present batch. */
    private final AtomicInteger unfinished = new AtomicInteger();

    ManyConnections(ConnectionEnds ends, boolean virtual) {
        this.ends = ends;
        this.virtual = virtual;
        this.connections = ends.all().size();
    }

    @Override
    public void once() throws IOException {
        perform(BATCH);
    }

    /** One round trip of each connection, as a batch takes longer than a pause of the JIT compiler. */
    @Override
    public void warmUp() throws IOException {
        perform(connections);
    }

    private void perform(int count) throws IOException {
        if (threads == null) {
            threads = new ConnectionThreads(connections, virtual, this::request);
        }
        waiting = Thread.currentThread();
        roundTrips = count;
        unfinished.set(connections);
        int next = batch + 1;
        batch = next;
        threads.unpark();
        long start = System.nanoTime();
        while (unfinished.get() > 0) {
            LockSupport.parkNanos(this, CHECK_NANOS);
            threads.check();
            if (Thread.interrupted()) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while waiting for a batch of round trips");
            }
            if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS)) {
                throw new IllegalStateException("a batch of " + count + " round trips has not ended within "
                        + TIMEOUT_SECONDS + " s");
            }
        }
    }

    /** Performs the share of a connection in each batch. */
    private void request(int number) throws IOException, InterruptedException {
        ConnectionEnd end = ends.all().get(number);
        int performed = 0;
        while (true) {
            performed = awaitBatchAfter(performed);
            int share = share(roundTrips, connections, number);
            for (int i = 0; i < share; i++) {
                end.request();
            }
            Thread benchmark = waiting;
            if (unfinished.decrementAndGet() == 0) {
                LockSupport.unpark(benchmark);
            }
        }
    }

    private int awaitBatchAfter(int performed) throws InterruptedException {
        while (batch == performed) {
            LockSupport.park(this);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
        return batch;
    }

    /** {@return the number of round trips of a connection, so that those of all connections are the whole} */
    static int share(int roundTrips, int connections, int number) {
        return roundTrips / connections + (number < roundTrips % connections ? 1 : 0);
    }

    @Override
    public void serve(BooleanSupplier stopped) throws IOException {
        ConnectionThreads.respond(ends, virtual, stopped);
    }

    @Override
    public void close() throws IOException {
        try (ends) {
            if (threads != null) {
                threads.close();
            }
        }
    }
}
