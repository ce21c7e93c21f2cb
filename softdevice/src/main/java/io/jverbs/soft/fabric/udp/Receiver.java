package io.jverbs.soft.fabric.udp;

import io.jverbs.Gid;
import io.jverbs.soft.fabric.udp.socket.Datagrams;
import io.jverbs.soft.fabric.udp.socket.ReceivedPackets;
import io.jverbs.soft.protocol.PacketAddresses;
import io.jverbs.soft.protocol.Tap;
import io.jverbs.soft.wire.DropReason;
import io.jverbs.soft.wire.Icrc;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.soft.wire.Roce;
import java.io.IOException;

/**
 * A socket from which a {@link ReceiveEngine} receives the packets to one address, its own or that of a multicast
 * group. Guarded by the engine's lock.
 */
public final class Receiver {
    private final Datagrams socket;
    /** The socket, or the socket with a tap. */
    private Datagrams input;
    private final Gid destination;
    private final boolean multicast;
    private final Icrc icrc = new Icrc();
    private final PacketAddresses addresses = new PacketAddresses();
    private final SenderTable senders = new SenderTable();
    private RemoteSender sender;

    Receiver(Datagrams socket, Gid destination) {
        this.socket = socket;
        this.input = socket;
        this.destination = destination;
        this.multicast = destination.isMulticast();
    }

    Datagrams socket() {
        return socket;
    }

    /** Sets the tap for packets from now on; null for none. */
    void tap(Tap tap) {
        input = tap == null ? socket : new TappedDatagrams(socket, destination, tap);
    }

    public Gid destination() {
        return destination;
    }

    /** Returns whether the address is a multicast group. */
    boolean isMulticast() {
        return multicast;
    }

    /** Returns the sender of the latest packet. */
    public Gid source() {
        return sender.gid();
    }

    public PacketAddresses addresses() {
        return addresses;
    }

    /**
     * Receives a packet, or several that were coalesced; returns false if there is nothing to receive. The number of
     * packets wanted is that of {@link Datagrams#receive}.
     */
    boolean receive(ReceivedPackets arrival, int max) throws IOException {
        if (!input.receive(arrival, max)) {
            return false;
        }
        updateSender(arrival);
        return true;
    }

    /** Returns the next packet, or the next coalesced packets, that the socket {@link #holds}. */
    void next(ReceivedPackets arrival) {
        input.next(arrival);
        updateSender(arrival);
    }

    /** Returns whether there is more for which no system call is needed. */
    boolean holds() {
        return input.holds();
    }

    /** Returns whether the system has shown that it has nothing more. */
    boolean isDrained() {
        return input.isDrained();
    }

    /**
     * Checks the current packet. Returns the reason to drop it, or {@link DropReason#NONE}. A packet with an unknown
     * opcode is passed on to the responder.
     */
    DropReason check(ReceivedPackets arrival, PacketView view) {
        DropReason drop = view.decode(arrival.buffer(), arrival.length());
        if (drop != DropReason.NONE && drop != DropReason.OPCODE) {
            return drop;
        }
        view.congestionExperienced(arrival.congestionExperienced());
        icrc.setIpId(arrival.index());
        return sender.accepts(icrc.verify(arrival.buffer(), arrival.length())) ? DropReason.NONE : DropReason.ICRC;
    }

    private void updateSender(ReceivedPackets arrival) {
        if (sender == null || !sender.matches(arrival.sourceHigh(), arrival.sourceLow(), arrival.sourcePort())) {
            setSender(arrival);
        }
    }

    private void setSender(ReceivedPackets arrival) {
        sender = senders.of(arrival.sourceHigh(), arrival.sourceLow(), arrival.sourcePort());
        addresses.set(sender.gid(), destination);
        icrc.setAddresses(sender.gid().high(), sender.gid().low(), sender.port(), destination.high(), destination.low(),
                Roce.UDP_PORT);
    }
}
