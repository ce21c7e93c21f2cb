package io.jverbs.bench.wire;

import io.jverbs.bench.process.ControlConnection;
import io.jverbs.bench.process.Sides;
import io.jverbs.bench.process.Workload;
import io.jverbs.bench.process.WorkloadType;
import java.io.IOException;

/** The workloads of this package. */
public enum WireWorkload implements WorkloadType {
    /** A ping-pong of SENDs; send completions are reaped without waiting for them, as in ib_send_lat. */
    SEND {
        @Override
        public Workload open(Sides sides, ControlConnection control, int bytes) throws IOException {
            return new SendLatency(sides, control, bytes, false, false);
        }
    },
    /** A ping-pong of SENDs that waits for the completions of both directions, as ibv_rc_pingpong does. */
    SEND_AWAITED {
        @Override
        public Workload open(Sides sides, ControlConnection control, int bytes) throws IOException {
            return new SendLatency(sides, control, bytes, true, false);
        }
    },
    /** As {@link #SEND}, but both processes yield when they have received nothing. */
    SEND_YIELDING {
        @Override
        public Workload open(Sides sides, ControlConnection control, int bytes) throws IOException {
            return new SendLatency(sides, control, bytes, false, true);
        }
    },
    /** A ping-pong of messages of endpoints. */
    ENDPOINT {
        @Override
        public Workload open(Sides sides, ControlConnection control, int bytes) throws IOException {
            return new EndpointLatency(sides, control, bytes);
        }
    },
    /** A ping-pong of datagrams. */
    DATAGRAM {
        @Override
        public Workload open(Sides sides, ControlConnection control, int bytes) throws IOException {
            return new DatagramLatency(sides, bytes, false);
        }
    },
    /** As {@link #DATAGRAM}, but both processes yield when they have received nothing. */
    DATAGRAM_YIELDING {
        @Override
        public Workload open(Sides sides, ControlConnection control, int bytes) throws IOException {
            return new DatagramLatency(sides, bytes, true);
        }
    },
    /** A ping-pong over TCP. */
    TCP {
        @Override
        public Workload open(Sides sides, ControlConnection control, int bytes) throws IOException {
            return new TcpLatency(sides, control, bytes);
        }
    },
    /** WRITEs in one direction. */
    WRITE_STREAM {
        @Override
        public Workload open(Sides sides, ControlConnection control, int bytes) throws IOException {
            return new WriteBandwidth(sides, control, bytes);
        }
    },
    /** Datagrams of the size of the RoCE packets in one direction. */
    DATAGRAM_STREAM {
        @Override
        public Workload open(Sides sides, ControlConnection control, int bytes) throws IOException {
            return new DatagramBandwidth(sides, bytes);
        }
    },
    /** Datagrams of that size in one direction, many with each system call. */
    SEGMENT_STREAM {
        @Override
        public Workload open(Sides sides, ControlConnection control, int bytes) throws IOException {
            return new SegmentBandwidth(sides, bytes, false);
        }
    },
    /** Datagrams of that size in one direction, many with each system call, each with a CRC. */
    CHECKED_SEGMENT_STREAM {
        @Override
        public Workload open(Sides sides, ControlConnection control, int bytes) throws IOException {
            return new SegmentBandwidth(sides, bytes, true);
        }
    },
    /** A byte stream in one direction over TCP. */
    TCP_STREAM {
        @Override
        public Workload open(Sides sides, ControlConnection control, int bytes) throws IOException {
            return new TcpBandwidth(sides, control, bytes);
        }
    }
}
