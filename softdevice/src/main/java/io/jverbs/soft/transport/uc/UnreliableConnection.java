package io.jverbs.soft.transport.uc;

import io.jverbs.soft.transport.ReceiveSide;
import io.jverbs.soft.transport.Requester;
import io.jverbs.soft.transport.RequesterProtocol;
import io.jverbs.soft.transport.ResponderProtocol;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.transport.local.LocalUnreliableConnection;

/** The service UC, unreliable connection, of devices that send packets. Peers in the same JVM may need none. */
public final class UnreliableConnection extends LocalUnreliableConnection {

    @Override
    public RequesterProtocol wireRequester(SoftQp qp, Requester requester, RequesterProtocol local) {
        return new UcRequester(qp, requester);
    }

    @Override
    public ResponderProtocol responder(SoftQp qp, ReceiveSide receives) {
        return new UcResponder(qp, receives);
    }
}
