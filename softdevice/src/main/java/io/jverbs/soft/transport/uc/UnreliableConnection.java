package io.jverbs.soft.transport.uc;

import io.jverbs.soft.protocol.WrOpcodeCode;
import io.jverbs.soft.transport.ReceiveSide;
import io.jverbs.soft.transport.Requester;
import io.jverbs.soft.transport.RequesterProtocol;
import io.jverbs.soft.transport.ResponderProtocol;
import io.jverbs.soft.transport.ServiceType;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.transport.local.LocalUcRequester;
import io.jverbs.soft.transport.local.LocalUcResponder;
import io.jverbs.soft.wire.WireOpcode;

/** The service UC, unreliable connection. */
public final class UnreliableConnection implements ServiceType {

    @Override
    public int wireTransport() {
        return WireOpcode.UC;
    }

    @Override
    public boolean isReliable() {
        return false;
    }

    @Override
    public boolean isConnected() {
        return true;
    }

    @Override
    public int legalOperations() {
        return WrOpcodeCode.UC_LEGAL;
    }

    @Override
    public RequesterProtocol localRequester(SoftQp qp, Requester requester) {
        return new LocalUcRequester(qp, requester);
    }

    @Override
    public RequesterProtocol wireRequester(SoftQp qp, Requester requester, RequesterProtocol local) {
        return new UcRequester(qp, requester);
    }

    @Override
    public ResponderProtocol responder(SoftQp qp, ReceiveSide receives) {
        return qp.environment.wire() == null ? new LocalUcResponder(qp, receives) : new UcResponder(qp, receives);
    }
}
