package io.jverbs.bench.pingpong;

import org.jctools.queues.SpscArrayQueue;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Two queues for one producer and one consumer; what goes through them is one object that is there already. */
@State(Scope.Benchmark)
public class SpscState {
    private static final int CAPACITY = 64;

    private final SpscArrayQueue<Object> there = new SpscArrayQueue<>(CAPACITY);
    private final SpscArrayQueue<Object> back = new SpscArrayQueue<>(CAPACITY);
    private final Object message = new Object();
    private Echo echo;

    /** For JMH. */
    public SpscState() {
        // start makes the rest
    }

    /** Starts the echo. */
    @Setup
    public void start() {
        echo = new Echo(this::tryAnswer);
    }

    /** Stops it. */
    @TearDown
    public void stop() {
        echo.close();
    }

    private boolean tryAnswer() {
        Object came = there.relaxedPoll();
        return came != null && back.relaxedOffer(came);
    }

    void roundTrip() {
        there.relaxedOffer(message);
        while (back.relaxedPoll() == null) {
            Thread.onSpinWait();
        }
    }
}
