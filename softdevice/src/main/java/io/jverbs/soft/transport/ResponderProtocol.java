package io.jverbs.soft.transport;

import io.jverbs.soft.protocol.Message;
import io.jverbs.soft.protocol.PacketAddresses;
import io.jverbs.soft.protocol.Traffic;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.soft.wire.SendBuffer;

/**
 * The part of a {@link Responder} that differs between transport services: executes requests and generates responses.
 * Guarded by the responder's lock, unless a method states otherwise.
 */
public abstract class ResponderProtocol {

    /**
     * Executes a request from a requester in the same JVM. Stores the response in the message.
     *
     * @param message the request, which has passed the checks of the {@link Responder}
     */
    public abstract void execute(Message message);

    /**
     * Processes a request packet from the wire.
     *
     * @param packet the packet, which has passed the checks of the {@link Responder}
     * @param addresses the source and the destination
     */
    public abstract void receive(PacketView packet, PacketAddresses addresses);

    /**
     * Tells the peer that the queue pair has failed because of an unexpected exception, where the service can.
     *
     * @param packet the packet whose processing failed
     */
    public void failed(PacketView packet) {}

    /** {@return the PSN expected next, 24 bits; 0 for datagrams} */
    public abstract int expectedPsn();

    /**
     * Sets the PSN expected next.
     *
     * @param psn 24 bits
     */
    public abstract void expectPsn(int psn);

    /** {@return the counters of received requests and of sent responses} */
    public abstract Traffic traffic();

    /** Discards incomplete messages and responses that are due, for the transition to RESET. Both locks are held. */
    public abstract void clear();

    /**
     * {@return the responder that executes requests of a requester in the same JVM directly, null if they must come as
     * messages} This is so until {@link DirectResponder#configuration} changes.
     *
     * @param message a request of that requester
     */
    public DirectResponder direct(Message message) {
        return null;
    }

    /** Changes {@link DirectResponder#configuration}. Thread-safe; never throws. */
    public void endDirectAccess() {}

    /**
     * Sets the route of responses. Both locks are held.
     *
     * @param route the route to the peer, null if the connection is not over the wire
     */
    public void route(Route route) {}

    /** {@return whether an ACK or NAK is due, which must be sent in every state} */
    public boolean isAckOrNakDue() {
        return false;
    }

    /** {@return whether an ACK is due} May be called without the lock; then the result may be out of date. */
    public boolean isAckDue() {
        return false;
    }

    /**
     * Writes the acknowledgement that is due behind requests to the same peer.
     *
     * @param out the requests
     */
    public void acknowledgeWith(SendBuffer out) {}

    /**
     * Sends responses that are due.
     *
     * @param polling whether the caller polls and calls again soon, so that acknowledgements may be delayed
     * @param outbox where packets without data are written
     * @return whether responses are left for another call
     */
    public boolean sendResponses(boolean polling, Outbox outbox) {
        return false;
    }

    /** Reports posted receive requests, if the peer knows of none. */
    public void sendCredits() {}

    /** Allows responses to be sent that waited for a timer. */
    public void resume() {}
}
