package io.jverbs.soft.transport.ud;

import io.jverbs.soft.protocol.Message;
import io.jverbs.soft.queue.WcStatusCode;
import io.jverbs.soft.transport.Outbox;
import io.jverbs.soft.transport.PacketNetwork;
import io.jverbs.soft.transport.Packetizer;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.transport.SendRing;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.wire.SendBuffer;

/** Sends datagrams over the wire. Guarded by the requester's lock. */
final class DatagramSender {
    private final PacketNetwork wire;
    private final Outbox outbox;
    private final Packetizer packetizer;

    DatagramSender(SoftQp qp, SendRing ring) {
        this.wire = qp.environment().wire();
        this.outbox = new Outbox(wire);
        this.packetizer = new Packetizer(qp, ring);
    }

    /**
     * Writes a datagram. It is sent at the latest by {@link #flush}.
     *
     * @param route the route to the receiver
     * @param at the place of the request in the ring
     * @param message the request
     * @param qpn the destination QPN
     * @return false if the memory of the request may not be read or no longer exists
     */
    boolean send(Route route, int at, Message message, int qpn) {
        if (packetizer.load(at, message.opcode) != WcStatusCode.SUCCESS) {
            return false;
        }
        SendBuffer out = outbox.room();
        if (packetizer.writeDatagram(out, qpn, message.qkey, message.psn) != WcStatusCode.SUCCESS) {
            return false;
        }
        wire.send(out, route);
        return true;
    }

    /** Sends the datagrams that were written. */
    void flush() {
        outbox.release();
    }
}
