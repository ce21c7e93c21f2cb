package io.jverbs.soft.transport.local;

import io.jverbs.QpType;
import io.jverbs.soft.protocol.WrOpcodeCode;
import io.jverbs.soft.transport.ReceiveSide;
import io.jverbs.soft.transport.Requester;
import io.jverbs.soft.transport.RequesterProtocol;
import io.jverbs.soft.transport.ResponderProtocol;
import io.jverbs.soft.transport.ServiceType;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.wire.WireOpcode;

/** The service UC, unreliable connection, of devices that send no packets: all peers are in the same JVM. */
public class LocalUnreliableConnection implements ServiceType {

    @Override
    public final QpType type() {
        return QpType.UC;
    }

    @Override
    public final int wireTransport() {
        return WireOpcode.UC;
    }

    @Override
    public final boolean isReliable() {
        return false;
    }

    @Override
    public final boolean isConnected() {
        return true;
    }

    @Override
    public final int legalOperations() {
        return WrOpcodeCode.UC_LEGAL;
    }

    @Override
    public final RequesterProtocol localRequester(SoftQp qp, Requester requester) {
        return new LocalUcRequester(qp, requester);
    }

    @Override
    public RequesterProtocol wireRequester(SoftQp qp, Requester requester, RequesterProtocol local) {
        return local;
    }

    @Override
    public ResponderProtocol responder(SoftQp qp, ReceiveSide receives) {
        return new LocalUcResponder(qp, receives);
    }
}
