package io.jverbs.soft.transport;

import io.jverbs.soft.queue.WcStatusCode;
import io.jverbs.soft.wire.Outgoing;
import io.jverbs.soft.wire.WireOpcode;

/** The requester of an unreliable connection over the wire: what is posted leaves and is complete. Guarded by the requester's lock. */
final class Stream {
    private final SoftQp qp;
    private final Requester requester;
    private final SendRing ring;
    private final Wire wire;
    private final Packetizer packetizer;
    private Route route;
    private int nextPsn;
    private final Tally sent = new Tally();

    Stream(SoftQp qp, Requester requester, SendRing ring, Wire wire) {
        this.qp = qp;
        this.requester = requester;
        this.ring = ring;
        this.wire = wire;
        this.packetizer = new Packetizer(qp, ring);
    }

    void route(Route to) {
        route = to;
    }

    void nextPsn(int psn) {
        nextPsn = psn & Psns.MASK;
    }

    int nextPsn() {
        return nextPsn;
    }

    Traffic traffic() {
        return sent.sent();
    }

    /** Sends all that is posted. */
    void advance() {
        Outgoing out = wire.acquire();
        try {
            while (!ring.isEmpty() && qp.state() == State.RTS) {
                int at = ring.oldest();
                int opcode = ring.opcode(at);
                if (Opcode.isLocal(opcode)) {
                    requester.executeLocally(at, opcode);
                    continue;
                }
                int status = send(out, at, opcode);
                if (status == WcStatusCode.SUCCESS) {
                    requester.succeed(at, opcode, 0);
                } else {
                    requester.fail(at, opcode, status);
                }
            }
        } finally {
            wire.release(out);
        }
    }

    private int send(Outgoing out, int at, int opcode) {
        long length = Packetizer.length(ring, at);
        if (length > qp.around.maxMessage()) {
            return WcStatusCode.LOC_LEN_ERR;
        }
        int status = packetizer.load(at, opcode);
        int packets = Message.packets(length, qp.settings.pathMtu);
        for (int i = 0; i < packets && status == WcStatusCode.SUCCESS; i++) {
            status = packetizer.write(out, WireOpcode.UC, i, packets, nextPsn, false);
            if (status == WcStatusCode.SUCCESS) {
                wire.send(out, route);
                sent.packet(Math.min(qp.settings.pathMtu, length - (long) i * qp.settings.pathMtu));
                nextPsn = Psns.add(nextPsn, 1);
            }
        }
        if (status == WcStatusCode.SUCCESS) {
            sent.message();
        }
        return status;
    }
}
