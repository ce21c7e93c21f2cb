package io.jverbs.soft.transport.uc;

import io.jverbs.soft.protocol.Message;
import io.jverbs.soft.protocol.Psns;
import io.jverbs.soft.protocol.QpStateCode;
import io.jverbs.soft.protocol.Traffic;
import io.jverbs.soft.protocol.TrafficCounter;
import io.jverbs.soft.protocol.WrOpcodeCode;
import io.jverbs.soft.queue.WcStatusCode;
import io.jverbs.soft.transport.PacketNetwork;
import io.jverbs.soft.transport.Packetizer;
import io.jverbs.soft.transport.Requester;
import io.jverbs.soft.transport.RequesterProtocol;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.transport.SendCompleter;
import io.jverbs.soft.transport.SendRing;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.wire.SendBuffer;
import io.jverbs.soft.wire.WireOpcode;

/**
 * The requester of an unreliable connection over the wire: a request is complete when its packets have been sent.
 * Guarded by the requester's lock.
 */
final class UcRequester extends RequesterProtocol {
    private final SoftQp qp;
    private final Requester requester;
    private final SendRing ring;
    private final SendCompleter completer;
    private final PacketNetwork wire;
    private final Packetizer packetizer;
    private Route route;
    private int nextPsn;
    private final TrafficCounter sent = new TrafficCounter();

    UcRequester(SoftQp qp, Requester requester) {
        this.qp = qp;
        this.requester = requester;
        this.ring = requester;
        this.completer = requester.completer();
        this.wire = qp.environment().wire();
        this.packetizer = new Packetizer(qp, ring);
    }

    @Override
    public void route(Route to) {
        assert requester.isHeldByCurrentThread();
        route = to;
    }

    @Override
    public void nextPsn(int psn) {
        assert requester.isHeldByCurrentThread();
        nextPsn = psn & Psns.MASK;
    }

    @Override
    public int nextPsn() {
        return nextPsn;
    }

    @Override
    public Traffic traffic() {
        return sent.sent();
    }

    @Override
    public boolean isBusy() {
        return false;
    }

    @Override
    public void execute() {
        assert requester.isHeldByCurrentThread();
        SendBuffer out = wire.acquire();
        try {
            while (!ring.isEmpty() && qp.state() == QpStateCode.RTS) {
                int at = ring.oldest();
                int opcode = ring.opcode(at);
                if (WrOpcodeCode.isLocal(opcode)) {
                    requester.executeLocally(at, opcode);
                    continue;
                }
                int status = send(out, at, opcode);
                if (status == WcStatusCode.SUCCESS) {
                    completer.succeed(at, opcode, 0);
                } else {
                    completer.fail(at, opcode, status);
                }
            }
        } finally {
            wire.release(out);
        }
    }

    private int send(SendBuffer out, int at, int opcode) {
        long length = Packetizer.length(ring, at);
        if (length > qp.environment().maxMessage()) {
            return WcStatusCode.LOC_LEN_ERR;
        }
        int status = packetizer.load(at, opcode);
        int packets = Message.packets(length, qp.settings().pathMtu);
        for (int i = 0; i < packets && status == WcStatusCode.SUCCESS; i++) {
            status = packetizer.write(out, WireOpcode.UC, i, packets, nextPsn, false);
            if (status == WcStatusCode.SUCCESS) {
                wire.send(out, route);
                sent.packet(Math.min(qp.settings().pathMtu, length - (long) i * qp.settings().pathMtu));
                nextPsn = Psns.add(nextPsn, 1);
            }
        }
        if (status == WcStatusCode.SUCCESS) {
            sent.message();
        }
        return status;
    }
}
