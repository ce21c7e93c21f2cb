package io.jverbs.soft.transport;

import io.jverbs.Gid;
import io.jverbs.soft.congestion.PathWindow;
import io.jverbs.soft.wire.SendBuffer;

/**
 * The network outside the JVM, as the state machines see it: sends packets. Thread-safe; unless stated otherwise, the
 * methods may be called with locks of queue pairs held.
 */
public interface PacketNetwork {
    /** The wire of a device that sends no packets: no route leads over it. */
    PacketNetwork NONE = new PacketNetwork() {
        @Override
        public Route route(Gid source, Gid destination) {
            return null;
        }

        @Override
        public int maxBatch(int bytes) {
            return 0;
        }

        @Override
        public SendBuffer acquire() {
            throw noPackets();
        }

        @Override
        public void send(SendBuffer packet, Route route) {
            throw noPackets();
        }

        @Override
        public void release(SendBuffer packet) {
            throw noPackets();
        }

        @Override
        public boolean receivePending(boolean waits) {
            return false;
        }

        @Override
        public void awaitTurn() {
            // there are no responses to send
        }

        @Override
        public void scheduleResponses(SoftQp qp) {
            throw noPackets();
        }

        @Override
        public void scheduleResponsesNow(SoftQp qp) {
            throw noPackets();
        }

        @Override
        public PathWindow readWindow() {
            throw noPackets();
        }

        private static IllegalStateException noPackets() {
            return new IllegalStateException("this device sends no packets");
        }
    };

    /**
     * Finds the route to a peer. Control path.
     *
     * @param source the local GID
     * @param destination the peer's GID
     * @return the route, or null if packets between these GIDs are not sent over this wire
     */
    Route route(Gid source, Gid destination);

    /**
     * {@return the maximum number of packets that one system call sends}
     *
     * @param bytes the length of each packet
     */
    int maxBatch(int bytes);

    /** {@return a buffer in which packets are written, one after the other, until {@link #release}} */
    SendBuffer acquire();

    /**
     * Sends a packet whose headers and payload are written, immediately or together with the packets that follow. A
     * packet that the network does not accept is dropped; RC retransmits it.
     *
     * @param packet the packet
     * @param route the route to the receiver
     */
    void send(SendBuffer packet, Route route);

    /**
     * Releases a buffer. All packets written to it have been sent when this returns.
     *
     * @param packet the buffer that {@link #acquire} returned
     */
    void release(SendBuffer packet);

    /**
     * Receives some of the packets that are waiting in the receive buffer of the wire. Called before a timeout is
     * declared, and by a post that awaits credits. The caller holds no lock.
     *
     * @param waits whether to wait for a thread that is receiving; otherwise packets are left to it
     * @return whether a packet was received
     */
    boolean receivePending(boolean waits);

    /**
     * Waits until the responses of several queue pairs that are being written at this moment have been sent. The caller
     * holds no lock.
     */
    void awaitTurn();

    /**
     * Schedules a call of {@link Responder#sendResponses}, because there are responses to send after the present burst
     * of requests. Called while a packet is received.
     *
     * @param qp the queue pair of the responder
     */
    void scheduleResponses(SoftQp qp);

    /**
     * Schedules a call of {@link Responder#sendResponses}. The caller holds no lock.
     *
     * @param qp the queue pair of the responder
     */
    void scheduleResponsesNow(SoftQp qp);

    /** {@return the window for the response data that READs have requested and that has not arrived} */
    PathWindow readWindow();
}
