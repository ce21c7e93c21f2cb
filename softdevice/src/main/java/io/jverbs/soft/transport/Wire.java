package io.jverbs.soft.transport;

import io.jverbs.Gid;
import io.jverbs.soft.wire.Outgoing;

/** How packets leave the JVM, as the state machines see it. Callable with locks of queue pairs held. */
public interface Wire {

    /**
     * Finds the way to a peer; control path.
     *
     * @param source our GID
     * @param destination the peer's
     * @return the way, or null if packets between these do not travel on this wire
     */
    Route route(Gid source, Gid destination);

    /**
     * {@return how many packets leave with one call at the most}
     *
     * @param bytes how long each of them is
     */
    int together(int bytes);

    /** {@return room to write packets in, one after the other, until {@link #release}} */
    Outgoing acquire();

    /**
     * Sends a packet whose headers and payload are written, now or with those that follow. What the network does not take is lost, as
     * packets may be.
     *
     * @param packet the packet
     * @param route where to
     */
    void send(Outgoing packet, Route route);

    /**
     * Gives room back; all packets written there have left then.
     *
     * @param packet what {@link #acquire} gave
     */
    void release(Outgoing packet);

    /**
     * Receives some of what has come and was not looked at yet, for who is about to conclude that nothing has come. Callers hold no
     * lock.
     *
     * @return whether there was anything
     */
    boolean catchUp();

    /** Waits until answers of several queue pairs that are being written at this moment have left. Callers hold no lock. */
    void awaitTurn();

    /**
     * Has {@link Responder#pump} called soon: there are answers to send, but now is not the time.
     *
     * @param qp whose responder
     */
    void pumpLater(SoftQp qp);
}
