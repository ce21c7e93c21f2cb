package io.jverbs.bench.wire;

import io.jverbs.bench.process.ControlConnection;
import io.jverbs.bench.process.Sides;
import io.jverbs.bench.process.Workload;
import io.jverbs.bench.process.WorkloadType;
import io.jverbs.bench.wire.EndpointLatency.Wait;
import io.jverbs.bench.wire.SendLatency.Awaited;
import java.io.IOException;

/** The workloads of this package. */
public enum WireWorkload implements WorkloadType {
    /** A ping-pong of SENDs; send completions are reaped without waiting for them, as in ib_send_lat. */
    SEND((sides, control, bytes) -> new SendLatency(sides, control, bytes, Awaited.RECEIVE, Polling.SPINS)),
    /** A ping-pong of SENDs that waits for the completions of both directions, as ibv_rc_pingpong does. */
    SEND_AWAITED((sides, control, bytes) -> new SendLatency(sides, control, bytes, Awaited.SEND_AND_RECEIVE,
            Polling.SPINS)),
    /** As {@link #SEND}, but both processes yield when they have received nothing. */
    SEND_YIELDING((sides, control, bytes) -> new SendLatency(sides, control, bytes, Awaited.RECEIVE, Polling.YIELDS)),
    /** A ping-pong of messages of endpoints that poll all the time. */
    ENDPOINT((sides, control, bytes) -> new EndpointLatency(sides, control, bytes, Wait.POLLS)),
    /** As {@link #ENDPOINT}, but with the default options: threads poll for a short time, and then block. */
    ENDPOINT_BLOCKING((sides, control, bytes) -> new EndpointLatency(sides, control, bytes, Wait.BLOCKS)) {
        @Override
        public boolean blocks() {
            return true;
        }
    },
    /** A ping-pong of datagrams. */
    DATAGRAM((sides, control, bytes) -> new DatagramLatency(sides, bytes, Polling.SPINS)),
    /** As {@link #DATAGRAM}, but both processes yield when they have received nothing. */
    DATAGRAM_YIELDING((sides, control, bytes) -> new DatagramLatency(sides, bytes, Polling.YIELDS)),
    /** A ping-pong over TCP. */
    TCP((sides, control, bytes) -> new TcpLatency(sides, control, bytes, Polling.SPINS)),
    /** As {@link #TCP}, but both processes yield when they have received nothing. */
    TCP_YIELDING((sides, control, bytes) -> new TcpLatency(sides, control, bytes, Polling.YIELDS)),
    /** WRITEs in one direction. */
    WRITE_STREAM(WriteBandwidth::new),
    /** Datagrams of the size of the RoCE packets in one direction. */
    DATAGRAM_STREAM((sides, control, bytes) -> new DatagramBandwidth(sides, bytes)),
    /** Datagrams of that size in one direction, many with each system call. */
    SEGMENT_STREAM((sides, control, bytes) -> new SegmentBandwidth(sides, bytes, false)),
    /** Datagrams of that size in one direction, many with each system call, each with a CRC. */
    CHECKED_SEGMENT_STREAM((sides, control, bytes) -> new SegmentBandwidth(sides, bytes, true)),
    /** A byte stream in one direction over TCP. */
    TCP_STREAM(TcpBandwidth::new);

    private final Opener opener;

    WireWorkload(Opener opener) {
        this.opener = opener;
    }

    /** Opens a workload: {@link #open}. */
    private interface Opener {
        Workload open(Sides sides, ControlConnection control, int bytes) throws IOException;
    }

    /**
     * {@return the workload whose processes yield when they have received nothing and that is the same otherwise}
     *
     * @throws IllegalStateException if there is none
     */
    public WireWorkload yielding() {
        return switch (this) {
            case SEND -> SEND_YIELDING;
            case DATAGRAM -> DATAGRAM_YIELDING;
            case TCP -> TCP_YIELDING;
            default -> throw new IllegalStateException("there is no " + this + " whose processes yield");
        };
    }

    @Override
    public Workload open(Sides sides, ControlConnection control, int bytes) throws IOException {
        return opener.open(sides, control, bytes);
    }
}
