package io.jverbs.bench.wire;

import java.io.IOException;
import java.util.List;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** A contest with another process, which is there as long as the benchmark. */
public abstract class OverWire {
    private static final String UDP = "jverbs.soft.udp";

    private final Kind kind;
    private final String udp;
    private final LeastAllocation allocation = new LeastAllocation();
    private Peer peer;
    private Contest contest;

    /** For subclasses: a contest, and the sockets that the software device is to use, null if that is of no account. */
    OverWire(Kind kind, String udp) {
        this.kind = kind;
        this.udp = udp;
    }

    abstract int bytes();

    /**
     * Starts the other process, connects and warms up.
     *
     * @throws IOException if that is not possible
     */
    @Setup
    public void open() throws IOException {
        if (udp != null) {
            System.setProperty(UDP, udp);
        }
        peer = Peer.start(kind, bytes(), udp == null ? List.of() : List.of("-D" + UDP + "=" + udp));
        contest = kind.open(peer.sides(), peer.line(), bytes());
        peer.line().meet();
        WarmUp.of(contest);
    }

    /**
     * Begins operations.
     *
     * @throws IOException if the socket fails
     */
    @Setup(Level.Iteration)
    public void fill() throws IOException {
        contest.fill();
    }

    /**
     * Ends them.
     *
     * @throws IOException if the socket fails
     */
    @TearDown(Level.Iteration)
    public void drain() throws IOException {
        contest.drain();
    }

    /**
     * Ends the other process.
     *
     * @throws IOException if it is gone already
     * @throws IllegalStateException if operations of the device allocate
     */
    @TearDown
    public void close() throws IOException {
        try {
            peer.close();
        } finally {
            contest.close();
        }
        if (udp != null) {
            allocation.check();
        }
    }

    void once() throws IOException {
        contest.once();
        allocation.operation();
    }
}
