package io.jverbs.soft.transport;

import io.jverbs.QpType;

/** A service that gives a test the protocol objects of the queue pair that it is used for, or takes one from it. */
public final class RecordedService implements ServiceType {
    private final ServiceType service;
    private RequesterProtocol wire;
    private ResponderProtocol responder;
    private ReceiveSide receives;

    /** @param service the service that makes the objects */
    public RecordedService(ServiceType service) {
        this(service, null);
    }

    /**
     * @param service the service that makes the other objects
     * @param responder the protocol of the responder, null if the service makes it
     */
    public RecordedService(ServiceType service, ResponderProtocol responder) {
        this.service = service;
        this.responder = responder;
    }

    /** {@return the protocol of the requester over the wire} */
    public RequesterProtocol wireRequester() {
        return wire;
    }

    /** {@return the protocol of the responder} */
    public ResponderProtocol responder() {
        return responder;
    }

    /** {@return the receive side} */
    public ReceiveSide receives() {
        return receives;
    }

    @Override
    public QpType type() {
        return service.type();
    }

    @Override
    public int wireTransport() {
        return service.wireTransport();
    }

    @Override
    public boolean isReliable() {
        return service.isReliable();
    }

    @Override
    public boolean isConnected() {
        return service.isConnected();
    }

    @Override
    public int legalOperations() {
        return service.legalOperations();
    }

    @Override
    public RequesterProtocol localRequester(SoftQp qp, Requester requester) {
        return service.localRequester(qp, requester);
    }

    @Override
    public RequesterProtocol wireRequester(SoftQp qp, Requester requester, RequesterProtocol of) {
        wire = service.wireRequester(qp, requester, of);
        return wire;
    }

    @Override
    public ResponderProtocol responder(SoftQp qp, ReceiveSide side) {
        receives = side;
        if (responder == null) {
            responder = service.responder(qp, side);
        }
        return responder;
    }
}
