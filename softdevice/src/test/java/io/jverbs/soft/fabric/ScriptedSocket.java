package io.jverbs.soft.fabric;

import io.jverbs.soft.transport.Route;
import io.jverbs.soft.wire.Outgoing;
import java.io.IOException;
import java.net.InetSocketAddress;

/** A socket over a channel of which a test is the network, which also says of what sizes packets came in one piece. */
final class ScriptedSocket implements Datagrams {
    private final NioSockets.NioDatagrams socket;
    private int each;
    private boolean takesAlong;

    ScriptedSocket(ScriptedChannel channel) {
        socket = new NioSockets.NioDatagrams(channel);
    }

    /** What comes next has packets of this size, any number; 0 says that there is one. */
    void each(int bytes) {
        each = bytes;
    }

    /** From now on a packet more leaves in the same call as those before it, if it is sent there. */
    void takesAlong() {
        takesAlong = true;
    }

    @Override
    public int together(int bytes) {
        return socket.together(bytes);
    }

    @Override
    public Outgoing room() {
        return new Outgoing() {
            @Override
            public boolean takesAlong(int length) {
                return takesAlong;
            }
        };
    }

    @Override
    public Object address(InetSocketAddress peer) {
        return socket.address(peer);
    }

    @Override
    public void send(Outgoing packet, Route route) throws IOException {
        socket.send(packet, route);
    }

    @Override
    public void flush(Outgoing packets) {
        socket.flush(packets);
    }

    @Override
    public boolean receive(Arrival arrival) throws IOException {
        if (!socket.receive(arrival)) {
            return false;
        }
        arrival.came(arrival.buffer().bytes().position(), each);
        return true;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
