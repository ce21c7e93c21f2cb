package io.jverbs.soft.transport;

import io.jverbs.ReceiveWorkRequest;
import io.jverbs.soft.congestion.CnpInterval;
import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.protocol.Message;
import io.jverbs.soft.protocol.PacketAddresses;
import io.jverbs.soft.protocol.QpStateCode;
import io.jverbs.soft.protocol.Traffic;
import io.jverbs.soft.queue.SpinLock;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.soft.wire.SendBuffer;
import io.jverbs.soft.wire.WireOpcode;
import io.jverbs.spi.DataPath;
import io.jverbs.spi.StackReserve;

/**
 * The receiving half of a queue pair: checks whether the queue pair accepts a request or a packet, and passes it to its
 * {@link ResponderProtocol}. Guarded by its lock. It has no thread: the posting thread executes requests from the same
 * JVM, and the thread that receives packets processes them.
 */
public final class Responder {
    private static final int FULL_MEMBER = 0x8000;

    private final SoftQp qp;
    private final SpinLock lock;
    private final ReceiveSide receives;
    private final int transport;
    private final Port port;
    private final ResponderProtocol protocol;
    private final boolean connected;
    private boolean listed;
    private final CnpInterval cnpInterval;
    /** Whether a CNP is to be sent. Set with the lock of either half held. */
    private volatile boolean cnpDue;

    Responder(SoftQp qp) {
        this.qp = qp;
        this.transport = qp.parts().service().wireTransport();
        this.port = qp.environment().port();
        this.receives = ReceiveSide.of(qp);
        this.cnpInterval = new CnpInterval(qp.timers().nanoTime());
        // one after the other: a request from the same JVM uses both, and they are usually in the same page then
        this.lock = new SpinLock();
        this.protocol = qp.parts().service().responder(qp, receives);
        this.connected = qp.parts().service().isConnected();
    }

    /** {@return the lock of this half} It comes after the requester's lock in the lock order. */
    public SpinLock lock() {
        return lock;
    }

    /**
     * Posts a chain of receive requests.
     *
     * @param head the first request
     * @return as {@link DataPath#postReceive}
     */
    public long post(ReceiveWorkRequest head) {
        StackReserve.check();
        long result = receives.post(head);
        qp.deferredQueue().run();
        return result;
    }

    /**
     * Executes a request from a requester in the same JVM, or drops it. Stores the response in the message.
     *
     * @param message the request
     */
    public void receive(Message message) {
        lock.lock();
        try {
            execute(message);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Executes a request as {@link #receive(Message)} does. The responder's lock is held.
     *
     * @param message the request
     * @return whether the request was accepted, not dropped
     */
    public boolean execute(Message message) {
        assert lock.isHeldByCurrentThread();
        boolean admitted = admits(message);
        if (admitted) {
            try {
                protocol.execute(message);
            } catch (Throwable e) {
                qp.failUnexpectedly(e);
                message.reply = Message.NAK_REMOTE_OPERATIONAL_ERROR;
            }
        }
        return admitted;
    }

    /**
     * {@return the responder that executes requests of a requester in the same JVM directly, or null; see
     * {@link ResponderProtocol#direct}} The responder's lock is held.
     *
     * @param message a request of that requester
     */
    public DirectResponder direct(Message message) {
        assert lock.isHeldByCurrentThread();
        return protocol.direct(message);
    }

    /**
     * Processes a request packet from the wire, or drops it.
     *
     * @param packet the packet
     * @param addresses the source and the destination
     */
    public void receive(PacketView packet, PacketAddresses addresses) {
        lock.lock();
        try {
            if (admits(packet, addresses)) {
                if (packet.congestionExperienced()) {
                    congestionExperienced();
                }
                protocol.receive(packet, addresses);
            }
        } catch (Throwable e) {
            qp.failUnexpectedly(e);
            protocol.failed(packet);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Records that a packet arrived with the mark of congestion (CE of ECN). At most once in 50 us, a congestion
     * notification packet (CNP) is sent to the peer, with the responses that follow the present burst of packets. The
     * lock of either half is held.
     */
    void congestionExperienced() {
        assert qp.isHalfLocked();
        qp.count(Counter.ECN_MARKED);
        // a datagram queue pair has no peer
        if (qp.settings().path != null && cnpInterval.admits(qp.timers().nanoTime())) {
            cnpDue = true;
            qp.environment().wire().scheduleResponses(qp);
        }
    }

    private void sendCnp(Outbox outbox) {
        cnpDue = false;
        QpSettings settings = qp.settings();
        Route route = settings.path == null ? null : settings.path.route();
        if (route != null && QpStateCode.receives(qp.state())) {
            SendBuffer out = outbox.room();
            out.encoder().begin(out.buffer(), WireOpcode.CNP, 0, port.pkey(settings.pkeyIndex),
                    settings.destinationQpn, 0, 0);
            qp.environment().wire().send(out, route);
            qp.count(Counter.SENT_CNP);
        }
    }

    /** Passes a CNP on to the congestion control of the path to the peer, or drops it. */
    void receiveCnp(PacketView packet, PacketAddresses addresses) {
        lock.lock();
        try {
            SoftAh path = qp.settings().path;
            if (!QpStateCode.receives(qp.state()) || path == null) {
                drop(Counter.WRONG_STATE);
            } else if (comesFromPeer(packet, addresses)) {
                Route route = path.route();
                boolean heard = packet.becn() && route != null && route.window().notified(qp.timers().nanoTime());
                qp.count(heard ? Counter.CNP_HANDLED : Counter.CNP_IGNORED);
            }
        } catch (Throwable e) {
            qp.failUnexpectedly(e);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sends the acknowledgements and responses that are due, and waits for those that another thread is sending at the
     * moment. Control path. The caller holds no lock.
     *
     * @return whether some responses must wait for another turn
     */
    public boolean sendResponses() {
        PacketNetwork wire = qp.environment().wire();
        boolean more;
        Outbox outbox = new Outbox(wire);
        lock.lock();
        try {
            more = sendLocked(false, outbox);
            outbox.release();
        } finally {
            lock.unlock();
        }
        wire.awaitTurn();
        return more;
    }

    /** {@return whether the queue pair is in the fabric's list of those with responses due} Guarded by that list. */
    public boolean isListed() {
        return listed;
    }

    /**
     * Records whether the queue pair is in the fabric's list of those with responses due. Guarded by that list.
     *
     * @param now whether it is
     */
    public void listed(boolean now) {
        listed = now;
    }

    /** Sends responses that waited for a timer, after it has expired. The caller holds no lock. */
    public void resumeResponses() {
        lock.lock();
        try {
            protocol.resume();
        } finally {
            lock.unlock();
        }
        qp.environment().wire().scheduleResponsesNow(qp);
    }

    /**
     * Sends the acknowledgements and responses that are due.
     *
     * @param polling whether the calling thread polls, and will therefore call again soon, so that acknowledgements may
     *        be delayed
     * @param outbox the buffer for packets without data; the caller releases it before it receives more packets
     * @return whether some responses must wait for another turn
     */
    public boolean sendResponses(boolean polling, Outbox outbox) {
        lock.lock();
        try {
            return sendLocked(polling, outbox);
        } finally {
            lock.unlock();
        }
    }

    private boolean sendLocked(boolean polling, Outbox outbox) {
        assert lock.isHeldByCurrentThread();
        try {
            if (cnpDue) {
                sendCnp(outbox);
            }
            return (QpStateCode.receives(qp.state()) || protocol.isAckOrNakDue())
                    && protocol.sendResponses(polling, outbox);
        } catch (Throwable e) {
            qp.failUnexpectedly(e);
            return false;
        }
    }

    /**
     * Writes the acknowledgement that is due behind requests to the same peer, if this needs no additional system call.
     * If another thread holds the responder's lock, nothing is written. The requester's lock is held.
     *
     * @param out the buffer that contains the requests
     */
    public void acknowledgeWith(SendBuffer out) {
        assert qp.requester().isHeldByCurrentThread();
        if (protocol.isAckDue() && lock.tryLock()) {
            try {
                if (QpStateCode.receives(qp.state())) {
                    protocol.acknowledgeWith(out);
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * Called before the settings change, and when the state changes: before that if both locks are held, because an
     * Error may follow, and otherwise after it. A requester in the same JVM must then send a message before it executes
     * requests directly again, because it reads no state. Thread-safe; never throws.
     */
    public void endDirectAccess() {
        protocol.endDirectAccess();
    }

    /**
     * Sets the route of responses. Both locks are held.
     *
     * @param route the route to the peer, null if the connection is not over the wire
     */
    void route(Route route) {
        assert qp.isLocked();
        protocol.route(route);
    }

    /** Whether a request is accepted; otherwise it is counted and dropped without a response. */
    private boolean admits(Message message) {
        int state = qp.state();
        QpSettings settings = qp.settings();
        if (!QpStateCode.receives(state) || message.transport != transport) {
            return drop(Counter.WRONG_STATE);
        }
        if (connected && !isFromPeer(message, settings.path)) {
            return drop(Counter.WRONG_ADDRESS);
        }
        if (!pkeysMatch(message.pkey, port.pkey(settings.pkeyIndex))) {
            return drop(Counter.BAD_PKEY);
        }
        return true;
    }

    private boolean admits(PacketView packet, PacketAddresses addresses) {
        assert lock.isHeldByCurrentThread();
        if (WireOpcode.transport(packet.opcode()) != transport || !QpStateCode.receives(qp.state())) {
            return drop(Counter.WRONG_STATE);
        }
        return comesFromPeer(packet, addresses);
    }

    /**
     * Whether a packet comes from the peer of the connection, if there is one, and from the same partition. Otherwise
     * it is counted as dropped. The lock of either half is held.
     */
    boolean comesFromPeer(PacketView packet, PacketAddresses addresses) {
        assert qp.isHalfLocked();
        if (connected && !isFromPeer(addresses, qp.settings().path)) {
            return drop(Counter.WRONG_ADDRESS);
        }
        return pkeysMatch(packet.pkey(), port.pkey(qp.settings().pkeyIndex)) || drop(Counter.BAD_PKEY);
    }

    private static boolean isFromPeer(PacketAddresses addresses, SoftAh path) {
        return path != null && addresses.are(path.destination(), path.source());
    }

    private static boolean isFromPeer(Message message, SoftAh path) {
        return message.sourceGidLow == path.destination().low() && message.sourceGidHigh == path.destination().high()
                && message.destinationGidLow == path.source().low()
                && message.destinationGidHigh == path.source().high();
    }

    /** Whether two P_Keys match: the same partition, and at least one of them a full member. */
    private static boolean pkeysMatch(int theirs, int ours) {
        return ((theirs ^ ours) & ~FULL_MEMBER) == 0 && ((theirs | ours) & FULL_MEMBER) != 0
                && (ours & ~FULL_MEMBER) != 0;
    }

    private boolean drop(Counter counter) {
        qp.count(counter);
        return false;
    }

    /**
     * Performs the deferred work of this half. The caller holds no lock.
     *
     * @param bits constants of {@link SoftQp}
     */
    void perform(int bits) {
        if ((bits & SoftQp.FLUSH_RECEIVE) != 0) {
            flushInError();
        }
        if ((bits & SoftQp.CREDITS) != 0) {
            sendCredits();
        }
    }

    /** Reports that receive requests were posted to a peer that knows of none. */
    private void sendCredits() {
        lock.lock();
        try {
            if (QpStateCode.receives(qp.state())) {
                protocol.sendCredits();
            }
        } catch (Throwable e) {
            qp.failUnexpectedly(e);
        } finally {
            lock.unlock();
        }
    }

    /** Flushes the receive queue if the state is still ERR. */
    private void flushInError() {
        lock.lock();
        try {
            if (qp.state() == QpStateCode.ERR) {
                receives.flush();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Removes the completions of this queue pair from the completion queue of receive requests, before {@link #clear}
     * frees their slots. Both locks are held.
     */
    public void removeCompletions() {
        assert qp.isLocked();
        receives.removeCompletions();
    }

    /**
     * Removes all requests without completions, for the transition to RESET and for destruction. Both locks are held.
     */
    public void clear() {
        assert qp.isLocked();
        receives.clear();
        qp.forgetRequests();
        cnpDue = false;
        protocol.clear();
    }

    /**
     * Sets the PSN of the first packet expected. Both locks are held.
     *
     * @param psn 24 bits
     */
    public void firstPsn(int psn) {
        assert qp.isLocked();
        protocol.expectPsn(psn);
    }

    /** {@return the counters of received requests and of sent responses} The responder's lock is held. */
    Traffic traffic() {
        assert lock.isHeldByCurrentThread();
        return protocol.traffic();
    }

    /** {@return the PSN expected next} The lock of either half is held. */
    public int expectedPsn() {
        assert qp.isHalfLocked();
        return protocol.expectedPsn();
    }
}
