package io.jverbs.soft.transport.rc;

import io.jverbs.soft.transport.ReceiveSide;
import io.jverbs.soft.transport.Requester;
import io.jverbs.soft.transport.RequesterProtocol;
import io.jverbs.soft.transport.ResponderProtocol;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.transport.local.LocalReliableConnection;

/** The service RC, reliable connection, of devices that send packets. Peers in the same JVM may need none. */
public final class ReliableConnection extends LocalReliableConnection {

    @Override
    public RequesterProtocol wireRequester(SoftQp qp, Requester requester, RequesterProtocol local) {
        return new RcRequester(qp, requester);
    }

    @Override
    public ResponderProtocol responder(SoftQp qp, ReceiveSide receives) {
        return new RcResponder(qp, receives);
    }
}
