package io.jverbs.soft.transport.ud;

import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.protocol.Message;
import io.jverbs.soft.protocol.Psns;
import io.jverbs.soft.protocol.Traffic;
import io.jverbs.soft.protocol.TrafficCounter;
import io.jverbs.soft.queue.WcStatusCode;
import io.jverbs.soft.transport.LocalPeers;
import io.jverbs.soft.transport.Port;
import io.jverbs.soft.transport.Requester;
import io.jverbs.soft.transport.RequesterProtocol;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.transport.SendCompleter;
import io.jverbs.soft.transport.SendRing;
import io.jverbs.soft.transport.SoftAh;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.transport.local.RequestLoader;
import io.jverbs.soft.transport.local.TapProbe;
import io.jverbs.soft.wire.Bth;

/**
 * The requester of datagrams: delivers each to queue pairs in the same JVM, sends it over the wire, or, to a multicast
 * group, both. A datagram is complete when it has been sent. Guarded by the requester's lock.
 */
final class UdRequester extends RequesterProtocol {
    /** A Q_Key with this bit set is replaced by that of the sending queue pair. */
    private static final int PRIVILEGED_QKEY = 1 << 31;

    private final SoftQp qp;
    private final Requester requester;
    private final SendRing ring;
    private final SendCompleter completer;
    private final RequestLoader loader;
    private final Message message;
    private final LocalPeers peers;
    private final Port port;
    private final TapProbe tapProbe;
    private final DatagramSender wire;
    private final TrafficCounter sent = new TrafficCounter();
    private int nextPsn;

    UdRequester(SoftQp qp, Requester requester) {
        this.qp = qp;
        this.requester = requester;
        this.ring = requester;
        this.completer = requester.completer();
        this.message = new Message(Math.max(1, qp.parts().capabilities().maxSendSge()));
        this.loader = new RequestLoader(qp, ring, message);
        this.peers = qp.environment().localPeers();
        this.port = qp.environment().port();
        this.tapProbe = new TapProbe(qp, requester, message);
        this.wire = new DatagramSender(qp, ring);
    }

    @Override
    public boolean isBusy() {
        return false;
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
    public void execute() {
        assert requester.isHeldByCurrentThread();
        try {
            while (!ring.isEmpty() && requester.mayExecute()) {
                int at = ring.oldest();
                int opcode = ring.opcode(at);
                int status = send(at, opcode);
                if (status == WcStatusCode.SUCCESS) {
                    completer.succeed(at, opcode, 0);
                } else {
                    completer.fail(at, opcode, status);
                }
            }
        } finally {
            wire.flush();
        }
    }

    /** Sends the oldest request; returns a completion status. */
    private int send(int at, int opcode) {
        int fault = loader.load(at, opcode);
        if (fault != WcStatusCode.SUCCESS) {
            return fault;
        }
        SoftAh path = (SoftAh) ring.firstNamed();
        message.psn = nextPsn;
        message.packets = 1;
        message.offset = 0;
        message.reply = Message.NO_REPLY;
        nextPsn = Psns.add(nextPsn, 1);
        if (path.domain() != qp.parts().domain()) {
            return WcStatusCode.LOC_QP_OP_ERR;
        }
        loader.address(path);
        int qkey = ring.remoteQkey(at);
        message.qkey = (qkey & PRIVILEGED_QKEY) != 0 ? qp.settings().qkey : qkey;
        message.mtu = port.mtu();
        if (port.sends(message.sourceGidHigh, message.sourceGidLow)) {
            int qpn = ring.remoteQpn(at);
            if (path.destination().isMulticast()) {
                multicast(path, at, qpn);
            } else {
                unicast(path, at, qpn);
            }
        }
        if (!message.dataValid) {
            qp.noteLostMemory(message.takeLoss());
            return WcStatusCode.LOC_PROT_ERR;
        }
        sent.packet(message.length);
        sent.message();
        return WcStatusCode.SUCCESS;
    }

    private void multicast(SoftAh path, int at, int qpn) {
        SoftQp[] members = peers.members(message.destinationGidHigh, message.destinationGidLow);
        if (qpn != Bth.MULTICAST_QPN) {
            members = MulticastQpnCheck.drop(members);
        }
        Route route = path.route();
        if (route == null) {
            tapProbe.renderDatagram(members, qpn);
        }
        for (SoftQp member : members) {
            if (member.environment().port().admits(member.number()) && !dropsOwn(member)) {
                member.responder().receive(message);
            }
        }
        if (route != null && message.dataValid) {
            sendOverWire(route, at, qpn);
        }
    }

    /** Drops the datagram for this queue pair itself, if it must not receive it; returns whether it did. */
    private boolean dropsOwn(SoftQp member) {
        boolean isOwn = member == qp && qp.parts().blockSelfMulticastLoopback();
        if (isOwn) {
            qp.count(Counter.OWN_MULTICAST);
        }
        return isOwn;
    }

    private void unicast(SoftAh path, int at, int qpn) {
        SoftQp target = peers.find(message.destinationGidHigh, message.destinationGidLow, qpn);
        Route route = target != null || peers.isLocal(message.destinationGidHigh, message.destinationGidLow)
                ? null
                : path.route();
        if (route != null) {
            sendOverWire(route, at, qpn);
        } else {
            tapProbe.renderDatagram(target, qpn);
            if (target != null) {
                target.responder().receive(message);
            }
        }
    }

    private void sendOverWire(Route route, int at, int qpn) {
        if (!wire.send(route, at, message, qpn)) {
            message.dataValid = false;
        }
    }
}
