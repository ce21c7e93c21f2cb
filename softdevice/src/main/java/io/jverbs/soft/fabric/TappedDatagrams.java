package io.jverbs.soft.fabric;

import io.jverbs.Gid;
import io.jverbs.soft.transport.Capacity;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.transport.Tap;
import io.jverbs.soft.wire.Outgoing;
import java.io.IOException;
import java.net.InetSocketAddress;

/** A socket whose packets somebody looks at. */
final class TappedDatagrams implements Datagrams {
    private final Datagrams socket;
    private final Gid address;
    private final Tap tap;

    /**
     * @param socket what sends and receives
     * @param address to whom what it receives was sent
     * @param tap who looks
     */
    TappedDatagrams(Datagrams socket, Gid address, Tap tap) {
        this.socket = socket;
        this.address = address;
        this.tap = tap;
    }

    @Override
    public int together(int bytes) {
        return socket.together(bytes);
    }

    @Override
    public Capacity capacity() {
        return socket.capacity();
    }

    @Override
    public Outgoing room() {
        return socket.room();
    }

    @Override
    public Object address(InetSocketAddress peer) {
        return socket.address(peer);
    }

    @Override
    public void send(Outgoing packet, Route route) throws IOException {
        Gid from = route.source();
        Gid to = route.destination();
        tap.written(true, packet, packet.encoder().written(), from.high(), from.low(), to.high(), to.low());
        socket.send(packet, route);
    }

    @Override
    public void flush(Outgoing packets) throws IOException {
        socket.flush(packets);
    }

    @Override
    public boolean receive(Arrival arrival, int most) throws IOException {
        if (!socket.receive(arrival, most)) {
            return false;
        }
        show(arrival);
        return true;
    }

    private void show(Arrival arrival) {
        do {
            arrival.next();
            tap.received(arrival.buffer(), arrival.length(), arrival.index(), arrival.sourceHigh(), arrival.sourceLow(),
                    arrival.sourcePort(), address.high(), address.low());
        } while (arrival.hasNext());
        arrival.again();
    }

    @Override
    public boolean holds() {
        return socket.holds();
    }

    @Override
    public void next(Arrival arrival) {
        socket.next(arrival);
        show(arrival);
    }

    @Override
    public boolean isDry() {
        return socket.isDry();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
