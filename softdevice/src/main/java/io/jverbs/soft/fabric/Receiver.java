package io.jverbs.soft.fabric;

import io.jverbs.Gid;
import io.jverbs.soft.transport.Envelope;
import io.jverbs.soft.wire.Drop;
import io.jverbs.soft.wire.Icrc;
import io.jverbs.soft.wire.PacketBuffer;
import io.jverbs.soft.wire.PacketView;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.DatagramChannel;
import java.util.HashMap;
import java.util.Map;

/** A socket from which an {@link Engine} receives packets to one address, its own or a group's. Guarded by the engine's lock. */
final class Receiver {
    /** Nothing has arrived. */
    static final int EMPTY = -1;

    /** Senders that are remembered; the others are met anew. */
    private static final int MOST_SENDERS = 4096;

    private final DatagramChannel channel;
    private final Gid destination;
    private final Icrc icrc = new Icrc();
    private final Envelope envelope = new Envelope();
    private final Map<SocketAddress, Sender> senders = new HashMap<>();
    private SocketAddress latest;
    private Sender sender;

    /**
     * A sender whose packets have the IP ID 0, as those of this device have, must go on so: the ID, which nobody tells us, is
     * then not a hole in the ICRC. What it does is found out anew when several packets in a row are otherwise.
     */
    private static final class Sender {
        private static final int PERSISTENT = 8;

        private final Gid gid;
        private boolean known;
        private boolean numbers;
        /** Packets in a row that are not as those before. */
        private int inARow;

        Sender(Gid gid) {
            this.gid = gid;
        }

        boolean accepts(int id) {
            if (id == Icrc.MISMATCH) {
                return false;
            }
            if (!known) {
                known = true;
                numbers = id != 0;
            }
            boolean other = id != 0;
            inARow = other == numbers ? 0 : inARow + 1;
            if (inARow == PERSISTENT) {
                numbers = other;
                inARow = 0;
            }
            return !other || numbers;
        }
    }

    Receiver(DatagramChannel channel, Gid destination) {
        this.channel = channel;
        this.destination = destination;
    }

    DatagramChannel channel() {
        return channel;
    }

    Gid destination() {
        return destination;
    }

    /** Who sent the latest packet. */
    Gid source() {
        return sender.gid;
    }

    Envelope envelope() {
        return envelope;
    }

    /** Receives a packet; its length, or {@link #EMPTY}. */
    int receive(PacketBuffer buffer) throws IOException {
        SocketAddress from = channel.receive(buffer.bytes().clear());
        if (from == null) {
            return EMPTY;
        }
        int length = buffer.bytes().position();
        if (from != latest) {
            enter((InetSocketAddress) from);
        }
        return length;
    }

    /** Looks at the packet that was received; what is wrong with it, or {@link Drop#NONE}. An unknown opcode is the responder's matter. */
    Drop view(PacketBuffer buffer, int length, PacketView view) {
        Drop drop = view.decode(buffer, length);
        if (drop != Drop.NONE && drop != Drop.OPCODE) {
            return drop;
        }
        return sender.accepts(icrc.verify(buffer, length)) ? Drop.NONE : Drop.ICRC;
    }

    /** Consecutive packets of one sender come with the same object. */
    private void enter(InetSocketAddress from) {
        latest = from;
        sender = senders.get(from);
        if (sender == null) {
            if (senders.size() == MOST_SENDERS) {
                senders.clear();
            }
            sender = new Sender(Gid.ofAddress(from.getAddress()));
            senders.put(from, sender);
        }
        envelope.set(sender.gid, destination);
        icrc.between(sender.gid.high(), sender.gid.low(), from.getPort(), destination.high(), destination.low(),
                UdpWire.UDP_PORT);
    }
}
