package io.jverbs.bench.wire;

import java.io.IOException;

/** The contests by name, as one process names them to the other. */
enum Kind {
    /** SENDs that go back and forth; completions of SENDs are reaped when they are there, as ib_send_lat does. */
    SEND {
        @Override
        Contest open(Sides sides, Line line, int bytes) throws IOException {
            return new SendLatency(sides, line, bytes, false);
        }
    },
    /** The same; completions of both directions are awaited, as ibv_rc_pingpong does. */
    SEND_AWAITED {
        @Override
        Contest open(Sides sides, Line line, int bytes) throws IOException {
            return new SendLatency(sides, line, bytes, true);
        }
    },
    /** Datagrams that go back and forth. */
    DATAGRAM {
        @Override
        Contest open(Sides sides, Line line, int bytes) throws IOException {
            return new DatagramLatency(sides, bytes);
        }
    },
    /** Bytes that go back and forth over TCP. */
    TCP {
        @Override
        Contest open(Sides sides, Line line, int bytes) throws IOException {
            return new TcpLatency(sides, line, bytes);
        }
    },
    /** WRITEs in one direction. */
    WRITE_STREAM {
        @Override
        Contest open(Sides sides, Line line, int bytes) throws IOException {
            return new WriteBandwidth(sides, line, bytes);
        }
    },
    /** Datagrams of the packets' size in one direction. */
    DATAGRAM_STREAM {
        @Override
        Contest open(Sides sides, Line line, int bytes) throws IOException {
            return new DatagramBandwidth(sides, bytes);
        }
    },
    /** The same, many with each system call. */
    SEGMENT_STREAM {
        @Override
        Contest open(Sides sides, Line line, int bytes) throws IOException {
            return new SegmentBandwidth(sides, bytes, false);
        }
    },
    /** The same, each with a CRC. */
    CHECKED_SEGMENT_STREAM {
        @Override
        Contest open(Sides sides, Line line, int bytes) throws IOException {
            return new SegmentBandwidth(sides, bytes, true);
        }
    },
    /** Bytes in one direction over TCP. */
    TCP_STREAM {
        @Override
        Contest open(Sides sides, Line line, int bytes) throws IOException {
            return new TcpBandwidth(sides, line, bytes);
        }
    };

    /** Opens it at one side; the other side does the same at the same time. */
    abstract Contest open(Sides sides, Line line, int bytes) throws IOException;
}
