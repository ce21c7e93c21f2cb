package io.jverbs.soft.fabric.udp;

import io.jverbs.Gid;
import io.jverbs.soft.congestion.PathCapacity;
import io.jverbs.soft.fabric.udp.socket.Datagrams;
import io.jverbs.soft.fabric.udp.socket.ReceivedPackets;
import io.jverbs.soft.protocol.Tap;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.wire.SendBuffer;
import java.io.IOException;
import java.net.InetSocketAddress;

/** A socket that shows its packets to a tap. */
final class TappedDatagrams implements Datagrams {
    private final Datagrams socket;
    private final Gid address;
    private final Tap tap;

    /**
     * @param socket the socket that sends and receives
     * @param address the destination of the packets that it receives
     * @param tap the tap
     */
    TappedDatagrams(Datagrams socket, Gid address, Tap tap) {
        this.socket = socket;
        this.address = address;
        this.tap = tap;
    }

    @Override
    public int maxBatch(int bytes) {
        return socket.maxBatch(bytes);
    }

    @Override
    public PathCapacity capacity() {
        return socket.capacity();
    }

    @Override
    public PathCapacity readCapacity() {
        return socket.readCapacity();
    }

    @Override
    public SendBuffer newOutgoing() {
        return socket.newOutgoing();
    }

    @Override
    public Object address(InetSocketAddress peer) {
        return socket.address(peer);
    }

    @Override
    public void send(SendBuffer packet, Route route) throws IOException {
        Gid from = route.source();
        Gid to = route.destination();
        tap.written(true, packet, packet.encoder().written(), from.high(), from.low(), to.high(), to.low());
        socket.send(packet, route);
    }

    @Override
    public void flush(SendBuffer packets) throws IOException {
        socket.flush(packets);
    }

    @Override
    public boolean receive(ReceivedPackets arrival, int max) throws IOException {
        if (!socket.receive(arrival, max)) {
            return false;
        }
        showReceived(arrival);
        return true;
    }

    private void showReceived(ReceivedPackets arrival) {
        do {
            arrival.next();
            tap.received(arrival.buffer(), arrival.length(), arrival.index(), arrival.sourceHigh(), arrival.sourceLow(),
                    arrival.sourcePort(), address.high(), address.low());
        } while (arrival.hasNext());
        arrival.rewind();
    }

    @Override
    public boolean holds() {
        return socket.holds();
    }

    @Override
    public void next(ReceivedPackets arrival) {
        socket.next(arrival);
        showReceived(arrival);
    }

    @Override
    public boolean isDrained() {
        return socket.isDrained();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
