package io.jverbs.soft.transport.ud;

import io.jverbs.QpType;
import io.jverbs.soft.protocol.WrOpcodeCode;
import io.jverbs.soft.transport.ReceiveSide;
import io.jverbs.soft.transport.Requester;
import io.jverbs.soft.transport.RequesterProtocol;
import io.jverbs.soft.transport.ResponderProtocol;
import io.jverbs.soft.transport.ServiceType;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.wire.WireOpcode;

/** The service UD, unreliable datagram. */
public final class UnreliableDatagram implements ServiceType {

    @Override
    public QpType type() {
        return QpType.UD;
    }

    @Override
    public int wireTransport() {
        return WireOpcode.UD;
    }

    @Override
    public boolean isReliable() {
        return false;
    }

    @Override
    public boolean isConnected() {
        return false;
    }

    @Override
    public int legalOperations() {
        return WrOpcodeCode.UD_LEGAL;
    }

    @Override
    public RequesterProtocol localRequester(SoftQp qp, Requester requester) {
        return new UdRequester(qp, requester);
    }

    @Override
    public RequesterProtocol wireRequester(SoftQp qp, Requester requester, RequesterProtocol local) {
        return local;
    }

    @Override
    public ResponderProtocol responder(SoftQp qp, ReceiveSide receives) {
        return new UdResponder(qp, receives);
    }
}
