package io.jverbs.bench.streams;

import io.jverbs.bench.process.ControlConnection;
import io.jverbs.bench.process.Sides;
import io.jverbs.bench.process.Workload;
import io.jverbs.bench.streams.netty.EchoClient;
import io.jverbs.bench.streams.netty.EchoServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** What both sides do with the channels of a provider, by the same code over streams and over TCP. */
interface StreamPattern {
    /** Opens the workload on one side, as {@link io.jverbs.bench.process.WorkloadType#open}. */
    Workload open(StreamProvider provider, Sides sides, ControlConnection control, int size) throws IOException;

    /** {@return both sides within this JVM, the one that measures first; it is closed last} */
    List<Workload> openLocal(StreamProvider provider, int size) throws IOException;

    /** Connected channels. */
    interface Channels extends StreamPattern {
        /** {@return one side of the workload} */
        Workload make(StreamChannels channels, int size) throws IOException;

        /** {@return the number of connections} */
        default int connections(int size) {
            return 1;
        }

        @Override
        default Workload open(StreamProvider provider, Sides sides, ControlConnection control, int size)
                throws IOException {
            return make(StreamChannels.open(provider, sides, control, connections(size)), size);
        }

        @Override
        default List<Workload> openLocal(StreamProvider provider, int size) throws IOException {
            List<Workload> sides = new ArrayList<>();
            for (StreamChannels channels : StreamChannels.local(provider, connections(size))) {
                sides.add(make(channels, size));
            }
            return sides;
        }
    }

    /** One selector for as many connections as the size says. */
    record Selected() implements Channels {
        @Override
        public Workload make(StreamChannels channels, int size) throws IOException {
            return new SelectedChannels(channels);
        }

        @Override
        public int connections(int size) {
            return size;
        }
    }

    /** An echo server and a client of Netty; the size is the number of messages in flight. */
    record NettyEchoes() implements StreamPattern {
        @Override
        public Workload open(StreamProvider provider, Sides sides, ControlConnection control, int size)
                throws IOException {
            if (sides.measures()) {
                int port = (int) control.exchange(0)[0];
                return client(provider, new InetSocketAddress(sides.other(), port), size);
            }
            EchoServer server = server(provider);
            control.exchange(server.address().getPort());
            return server;
        }

        @Override
        public List<Workload> openLocal(StreamProvider provider, int size) throws IOException {
            EchoServer server = server(provider.withoutDevice());
            return List.of(client(provider, server.address(), size), server);
        }

        private static EchoServer server(StreamProvider provider) {
            return new EchoServer(provider.channels(), provider.address(), provider);
        }

        private static EchoClient client(StreamProvider provider, InetSocketAddress server, int size)
                throws IOException {
            return new EchoClient(provider.channels(), server, size, provider);
        }
    }
}
