package io.jverbs.soft.transport;

import io.jverbs.QpType;
import io.jverbs.soft.protocol.WrOpcodeCode;
import io.jverbs.soft.wire.WireOpcode;

/**
 * A transport service of the specification: RC, UC or UD. Creates the protocol objects of queue pairs. All queue pairs
 * of a type share one object. Stateless.
 */
public interface ServiceType {

    /** {@return the type of its queue pairs} */
    QpType type();

    /** {@return the transport of its packets, see {@link WireOpcode#transport}} */
    int wireTransport();

    /** {@return whether it is reliable: an error of the send queue moves the queue pair to ERR, not to SQE} */
    boolean isReliable();

    /** {@return whether it is connected: a queue pair sends to one peer, and accepts requests from this peer only} */
    boolean isConnected();

    /** {@return the operations that are legal for its work requests, a set of {@link WrOpcodeCode}} */
    int legalOperations();

    /**
     * {@return the protocol of a requester whose peers are in the same JVM}
     *
     * @param qp the queue pair
     * @param requester its requester, which is being constructed
     */
    RequesterProtocol localRequester(SoftQp qp, Requester requester);

    /**
     * {@return the protocol of a requester whose peer is reached over the wire; {@code local} if that serves both, or
     * if no packets leave the JVM}
     *
     * @param qp the queue pair
     * @param requester its requester, which is being constructed
     * @param local what {@link #localRequester} returned
     */
    RequesterProtocol wireRequester(SoftQp qp, Requester requester, RequesterProtocol local);

    /**
     * {@return the protocol of a responder}
     *
     * @param qp the queue pair
     * @param receives its receive requests
     */
    ResponderProtocol responder(SoftQp qp, ReceiveSide receives);
}
