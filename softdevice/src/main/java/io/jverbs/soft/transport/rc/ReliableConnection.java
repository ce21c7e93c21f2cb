package io.jverbs.soft.transport.rc;

import io.jverbs.soft.protocol.WrOpcodeCode;
import io.jverbs.soft.transport.ReceiveSide;
import io.jverbs.soft.transport.Requester;
import io.jverbs.soft.transport.RequesterProtocol;
import io.jverbs.soft.transport.ResponderProtocol;
import io.jverbs.soft.transport.ServiceType;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.transport.local.LocalRcRequester;
import io.jverbs.soft.transport.local.LocalRcResponder;
import io.jverbs.soft.wire.WireOpcode;

/** The service RC, reliable connection. */
public final class ReliableConnection implements ServiceType {

    @Override
    public int wireTransport() {
        return WireOpcode.RC;
    }

    @Override
    public boolean isReliable() {
        return true;
    }

    @Override
    public boolean isConnected() {
        return true;
    }

    @Override
    public int legalOperations() {
        return WrOpcodeCode.RC_LEGAL;
    }

    @Override
    public RequesterProtocol localRequester(SoftQp qp, Requester requester) {
        return new LocalRcRequester(qp, requester);
    }

    @Override
    public RequesterProtocol wireRequester(SoftQp qp, Requester requester, RequesterProtocol local) {
        return new RcRequester(qp, requester);
    }

    @Override
    public ResponderProtocol responder(SoftQp qp, ReceiveSide receives) {
        return qp.environment.wire() == null ? new LocalRcResponder(qp, receives) : new RcResponder(qp, receives);
    }
}
