package io.jverbs.bench.pingpong;

import org.jctools.queues.SpscArrayQueue;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The state of the JCTools baseline: two single-producer single-consumer queues, which pass one preallocated object.
 */
@State(Scope.Benchmark)
public class SpscState {
    private static final int CAPACITY = 64;

    private final SpscArrayQueue<Object> there = new SpscArrayQueue<>(CAPACITY);
    private final SpscArrayQueue<Object> back = new SpscArrayQueue<>(CAPACITY);
    private final Object message = new Object();
    private Echo echo;

    /** For JMH. */
    public SpscState() {
        // initialized by start
    }

    /** Starts the echo thread. */
    @Setup
    public void start() {
        echo = new Echo(this::tryReply);
    }

    /** Stops the echo thread. */
    @TearDown
    public void stop() {
        echo.close();
    }

    private boolean tryReply() {
        Object received = there.relaxedPoll();
        return received != null && back.relaxedOffer(received);
    }

    void roundTrip() {
        there.relaxedOffer(message);
        while (back.relaxedPoll() == null) {
            Thread.onSpinWait();
        }
    }
}
