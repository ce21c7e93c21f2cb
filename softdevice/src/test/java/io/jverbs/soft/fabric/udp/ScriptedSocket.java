package io.jverbs.soft.fabric.udp;

import io.jverbs.soft.fabric.udp.socket.Datagrams;
import io.jverbs.soft.fabric.udp.socket.NioSockets;
import io.jverbs.soft.fabric.udp.socket.ReceivedPackets;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.wire.SendBuffer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/** A socket over a {@link ScriptedChannel}. A test also sets the packet size of each coalesced message. */
final class ScriptedSocket implements Datagrams {
    private final NioSockets.NioDatagrams socket;
    private int packetSize;
    private boolean hasRoomInBatch;
    private int flushes;
    private Runnable beforeFlush = () -> {};
    /** Messages that the call for the next message receives too, from the same sender. */
    private final Deque<Message> others = new ArrayDeque<>();
    private boolean received;

    ScriptedSocket(ScriptedChannel channel) {
        socket = new NioSockets.NioDatagrams(channel);
    }

    /** Sets the reported packet size of the next messages, which may be any number; 0 means a single packet. */
    void packetSize(int bytes) {
        packetSize = bytes;
    }

    /** A message with packets of a size, 0 for a single packet; {@link #another}. */
    private record Message(ByteBuffer packets, int packetSize) {}

    /** Adds a message that the call for the next message receives too; a packet size of 0 means a single packet. */
    void another(ByteBuffer packets, int size) {
        others.add(new Message(packets, size));
    }

    /** Sets an action that runs before each flush. */
    void beforeFlush(Runnable action) {
        beforeFlush = action;
    }

    /** Returns the number of flushes, each of which sends the packets that were written. */
    int flushes() {
        return flushes;
    }

    /** From now on, reports that another packet would be sent with the same call as those before it. */
    void hasRoomInBatch() {
        hasRoomInBatch = true;
    }

    @Override
    public int maxBatch(int bytes) {
        return socket.maxBatch(bytes);
    }

    @Override
    public SendBuffer newOutgoing() {
        return new SendBuffer() {
            @Override
            public boolean hasRoomInBatch(int length) {
                return hasRoomInBatch;
            }
        };
    }

    @Override
    public Object address(InetSocketAddress peer) {
        return socket.address(peer);
    }

    @Override
    public void send(SendBuffer packet, Route route) throws IOException {
        socket.send(packet, route);
    }

    @Override
    public void flush(SendBuffer packets) {
        beforeFlush.run();
        flushes++;
        socket.flush(packets);
    }

    @Override
    public boolean receive(ReceivedPackets arrival, int most) throws IOException {
        if (!socket.receive(arrival, most)) {
            return false;
        }
        arrival.received(arrival.buffer().bytes().position(), packetSize);
        received = true;
        return true;
    }

    @Override
    public boolean holds() {
        return received && !others.isEmpty();
    }

    @Override
    public void next(ReceivedPackets arrival) {
        Message message = others.remove();
        arrival.received(arrival.ownBuffer().bytes().clear().put(message.packets()).position(), message.packetSize());
        received = !others.isEmpty();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
