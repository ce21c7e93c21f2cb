package io.jverbs.bench.streams;

import io.jverbs.RdmaContext;
import io.jverbs.bench.process.Connection;
import io.jverbs.bench.process.ControlConnection;
import io.jverbs.bench.process.Sides;
import io.jverbs.bench.process.Workload;
import io.jverbs.bench.process.WorkloadType;
import io.jverbs.rsocket.datagram.RdmaDatagramSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;

/** The ping-pongs of datagrams. */
enum DatagramWorkload implements WorkloadType {
    /** Over RDMA. */
    RDMA {
        @Override
        public Workload open(Sides sides, ControlConnection control, int bytes) throws IOException {
            RdmaContext context = Connection.open(sides);
            RdmaDatagramSocket socket = RdmaDatagramSocket.open(context, own(sides));
            socket.connect(peer(socket.localAddress(), sides, control));
            return new PingPong(new Datagrams.Rdma(socket, bytes), context::close);
        }
    },
    /** Over a DatagramChannel in blocking mode. */
    CHANNEL {
        @Override
        public Workload open(Sides sides, ControlConnection control, int bytes) throws IOException {
            DatagramChannel channel = DatagramChannel.open().bind(own(sides));
            channel.connect(peer((InetSocketAddress) channel.getLocalAddress(), sides, control));
            return new PingPong(new Datagrams.OfChannel(channel, bytes), () -> {});
        }
    };

    private static InetSocketAddress own(Sides sides) {
        return new InetSocketAddress(sides.own(), 0);
    }

    /** {@return the address of the other process, which is told that of this one} */
    private static InetSocketAddress peer(InetSocketAddress own, Sides sides, ControlConnection control)
            throws IOException {
        return new InetSocketAddress(sides.other(), (int) control.exchange(own.getPort())[0]);
    }
}
