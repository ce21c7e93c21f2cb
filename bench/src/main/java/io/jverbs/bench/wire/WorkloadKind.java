package io.jverbs.bench.wire;

import java.io.IOException;

/** The kinds of workloads. The measuring process passes the name to the other process. */
enum WorkloadKind {
    /** A ping-pong of SENDs; send completions are reaped without waiting for them, as in ib_send_lat. */
    SEND {
        @Override
        Workload open(Sides sides, ControlConnection control, int bytes) throws IOException {
            return new SendLatency(sides, control, bytes, false);
        }
    },
    /** A ping-pong of SENDs that waits for the completions of both directions, as ibv_rc_pingpong does. */
    SEND_AWAITED {
        @Override
        Workload open(Sides sides, ControlConnection control, int bytes) throws IOException {
            return new SendLatency(sides, control, bytes, true);
        }
    },
    /** A ping-pong of datagrams. */
    DATAGRAM {
        @Override
        Workload open(Sides sides, ControlConnection control, int bytes) throws IOException {
            return new DatagramLatency(sides, bytes);
        }
    },
    /** A ping-pong over TCP. */
    TCP {
        @Override
        Workload open(Sides sides, ControlConnection control, int bytes) throws IOException {
            return new TcpLatency(sides, control, bytes);
        }
    },
    /** WRITEs in one direction. */
    WRITE_STREAM {
        @Override
        Workload open(Sides sides, ControlConnection control, int bytes) throws IOException {
            return new WriteBandwidth(sides, control, bytes);
        }
    },
    /** Datagrams of the size of the RoCE packets in one direction. */
    DATAGRAM_STREAM {
        @Override
        Workload open(Sides sides, ControlConnection control, int bytes) throws IOException {
            return new DatagramBandwidth(sides, bytes);
        }
    },
    /** Datagrams of that size in one direction, many with each system call. */
    SEGMENT_STREAM {
        @Override
        Workload open(Sides sides, ControlConnection control, int bytes) throws IOException {
            return new SegmentBandwidth(sides, bytes, false);
        }
    },
    /** Datagrams of that size in one direction, many with each system call, each with a CRC. */
    CHECKED_SEGMENT_STREAM {
        @Override
        Workload open(Sides sides, ControlConnection control, int bytes) throws IOException {
            return new SegmentBandwidth(sides, bytes, true);
        }
    },
    /** A byte stream in one direction over TCP. */
    TCP_STREAM {
        @Override
        Workload open(Sides sides, ControlConnection control, int bytes) throws IOException {
            return new TcpBandwidth(sides, control, bytes);
        }
    };

    /** Opens the workload on one side, while the other side opens it too. */
    abstract Workload open(Sides sides, ControlConnection control, int bytes) throws IOException;
}
