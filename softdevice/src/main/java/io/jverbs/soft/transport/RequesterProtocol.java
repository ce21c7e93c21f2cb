package io.jverbs.soft.transport;

import io.jverbs.soft.protocol.Traffic;
import io.jverbs.soft.wire.PacketView;

/**
 * The part of a {@link Requester} that differs between transport services, and between peers in the same JVM and over
 * the wire: executes the requests of the send queue in order. Guarded by the requester's lock.
 */
public abstract class RequesterProtocol {

    /**
     * Executes requests from the oldest on, as far as the peer, the windows and the state permit, and completes them
     * with the {@link SendCompleter}. Called if the send queue is not empty and {@link Requester#mayExecute} is true.
     */
    public abstract void execute();

    /** {@return whether the oldest request was started and is not complete} In SQD it is still executed. */
    public abstract boolean isBusy();

    /** {@return the PSN of the next new packet, 24 bits} */
    public abstract int nextPsn();

    /**
     * Sets the PSN of the next new packet. No request is outstanding. Both locks are held.
     *
     * @param psn 24 bits
     */
    public abstract void nextPsn(int psn);

    /** {@return what executes requests when they are posted to an empty send queue} */
    public FastPath fastPath() {
        return FastPath.NONE;
    }

    /** {@return the counters of sent requests and of received responses} */
    public abstract Traffic traffic();

    /** Applies the settings after ibv_modify_qp(3). Both locks are held. */
    public void configure() {}

    /**
     * Sets the route of a connection that is over the wire, and applies the settings. Both locks are held.
     *
     * @param route the route to the peer
     */
    public void route(Route route) {}

    /** {@return whether the next request waits until the peer reports receive requests} */
    public boolean awaitsCredits() {
        return false;
    }

    /** {@return whether this protocol processes responses from the wire} */
    public boolean takesResponses() {
        return false;
    }

    /**
     * Processes a response from the peer.
     *
     * @param packet the packet
     */
    public void receive(PacketView packet) {}

    /** Leaves the queues of connections that wait for windows, because there is nothing to send at present. */
    public void leaveWindows() {}

    /** Called when the requester no longer uses the lock of the peer's responder. */
    public void lockTakenBack() {}

    /** Stops all timers, because outstanding requests are about to be flushed or removed. */
    public void stop() {}

    /** Discards outstanding requests, for the transition to RESET and for destruction. Both locks are held. */
    public void clear() {
        stop();
    }
}
