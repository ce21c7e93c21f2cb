package io.jverbs.soft.fabric;

import io.jverbs.soft.transport.Route;
import io.jverbs.soft.wire.Outgoing;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/** A socket over a channel of which a test is the network, which also says of what sizes packets came in one piece. */
final class ScriptedSocket implements Datagrams {
    private final NioSockets.NioDatagrams socket;
    private int each;
    private boolean takesAlong;
    private int flushes;
    private Runnable beforeFlush = () -> {};
    /** What comes with the same call as the next piece, from the same sender. */
    private final Deque<Piece> others = new ArrayDeque<>();
    private boolean come;

    ScriptedSocket(ScriptedChannel channel) {
        socket = new NioSockets.NioDatagrams(channel);
    }

    /** What comes next has packets of this size, any number; 0 says that there is one. */
    void each(int bytes) {
        each = bytes;
    }

    /** A piece of packets of a size, 0 for one; {@link #another}. */
    private record Piece(ByteBuffer packets, int each) {}

    /** A piece of packets of a size, 0 for one, that comes with the same call as the next one, from the same sender. */
    void another(ByteBuffer packets, int size) {
        others.add(new Piece(packets, size));
    }

    /** What happens before room is given back. */
    void beforeFlush(Runnable happening) {
        beforeFlush = happening;
    }

    /** How often room was given back: what was written there has left with a call. */
    int flushes() {
        return flushes;
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
        beforeFlush.run();
        flushes++;
        socket.flush(packets);
    }

    @Override
    public boolean receive(Arrival arrival, int most) throws IOException {
        if (!socket.receive(arrival, most)) {
            return false;
        }
        arrival.came(arrival.buffer().bytes().position(), each);
        come = true;
        return true;
    }

    @Override
    public boolean holds() {
        return come && !others.isEmpty();
    }

    @Override
    public void next(Arrival arrival) {
        Piece piece = others.remove();
        arrival.came(arrival.room().bytes().clear().put(piece.packets()).position(), piece.each());
        come = !others.isEmpty();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
