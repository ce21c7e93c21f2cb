package io.jverbs.soft.fabric;

import io.jverbs.Gid;
import io.jverbs.soft.transport.Envelope;
import io.jverbs.soft.transport.Tap;
import io.jverbs.soft.wire.Drop;
import io.jverbs.soft.wire.Icrc;
import io.jverbs.soft.wire.PacketView;
import java.io.IOException;

/** A socket from which an {@link Engine} receives packets to one address, its own or a group's. Guarded by the engine's lock. */
final class Receiver {
    private final Datagrams socket;
    /** The socket, or what looks at its packets besides. */
    private Datagrams entrance;
    private final Gid destination;
    private final Icrc icrc = new Icrc();
    private final Envelope envelope = new Envelope();
    private final Senders senders = new Senders();
    private Sender sender;

    Receiver(Datagrams socket, Gid destination) {
        this.socket = socket;
        this.entrance = socket;
        this.destination = destination;
    }

    Datagrams socket() {
        return socket;
    }

    /** Says who looks at packets from now on; null for nobody. */
    void tap(Tap tap) {
        entrance = tap == null ? socket : new TappedDatagrams(socket, destination, tap);
    }

    Gid destination() {
        return destination;
    }

    /** Who sent the latest packet. */
    Gid source() {
        return sender.gid();
    }

    Envelope envelope() {
        return envelope;
    }

    /** Receives what came in one piece; false if nothing has come. So many packets are wanted, as {@link Datagrams#receive}. */
    boolean receive(Arrival arrival, int most) throws IOException {
        if (!entrance.receive(arrival, most)) {
            return false;
        }
        enter(arrival);
        return true;
    }

    /** Gives what came in the next piece; it must {@link #holds} it. */
    void next(Arrival arrival) {
        entrance.next(arrival);
        enter(arrival);
    }

    /** Whether there is more that no call of the system is needed for. */
    boolean holds() {
        return entrance.holds();
    }

    /** Whether the system has shown that it has no more. */
    boolean isDry() {
        return entrance.isDry();
    }

    /** Looks at the packet at hand; what is wrong with it, or {@link Drop#NONE}. An unknown opcode is the responder's matter. */
    Drop view(Arrival arrival, PacketView view) {
        Drop drop = view.decode(arrival.buffer(), arrival.length());
        if (drop != Drop.NONE && drop != Drop.OPCODE) {
            return drop;
        }
        icrc.id(arrival.index());
        return sender.accepts(icrc.verify(arrival.buffer(), arrival.length())) ? Drop.NONE : Drop.ICRC;
    }

    private void enter(Arrival arrival) {
        if (sender == null || !sender.is(arrival.sourceHigh(), arrival.sourceLow(), arrival.sourcePort())) {
            change(arrival);
        }
    }

    private void change(Arrival arrival) {
        sender = senders.of(arrival.sourceHigh(), arrival.sourceLow(), arrival.sourcePort());
        envelope.set(sender.gid(), destination);
        icrc.between(sender.gid().high(), sender.gid().low(), sender.port(), destination.high(), destination.low(),
                UdpWire.UDP_PORT);
    }
}
