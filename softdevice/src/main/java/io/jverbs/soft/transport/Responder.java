package io.jverbs.soft.transport;

import io.jverbs.QpType;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.soft.queue.SpinLock;
import io.jverbs.soft.queue.Words;
import io.jverbs.soft.wire.Outgoing;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.soft.wire.WireOpcode;
import io.jverbs.spi.DataPath;

/**
 * The receiving half of a queue pair: decides whether a request is for it, and hands it to the protocol of its type. Executed
 * by the thread that sends, under this half's lock.
 */
public final class Responder {
    private static final int FULL_MEMBER = 0x8000;
    private static final int HOP_LIMIT = 64;

    private final SoftQp qp;
    private final SpinLock lock = new SpinLock();
    private final ReceiveSide receives;
    private final int transport;
    private final int wireTransport;
    private final Port port;
    private final RcResponder reliable;
    private final UcResponder unreliable;
    private final UdResponder datagram;
    private final RcAnswers answers;
    private final RcPackets reliablePackets;
    private final UcPackets unreliablePackets;
    private final Message datagramMessage;
    /** Counts changes of the settings. */
    private int configuration;

    Responder(SoftQp qp) {
        this.qp = qp;
        QpType type = qp.parts.type();
        this.transport = type.code();
        this.wireTransport = type == QpType.RC ? WireOpcode.RC : type == QpType.UC ? WireOpcode.UC : WireOpcode.UD;
        this.port = qp.around.port();
        this.receives = new ReceiveSide(qp);
        this.reliable = type == QpType.RC ? new RcResponder(qp, receives) : null;
        this.unreliable = type == QpType.UC ? new UcResponder(qp, receives) : null;
        this.datagram = type == QpType.UD ? new UdResponder(qp, receives) : null;
        Wire wire = qp.around.wire();
        this.answers = wire == null || type != QpType.RC ? null : new RcAnswers(qp, reliable, wire);
        this.reliablePackets = answers == null ? null : new RcPackets(qp, reliable, receives, answers, wire);
        this.unreliablePackets = wire == null || type != QpType.UC ? null : new UcPackets(qp, unreliable, receives);
        this.datagramMessage = wire == null || type != QpType.UD ? null : new Message(1);
    }

    /** {@return the lock of this half, the second to take} */
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
        long result = receives.post(head);
        qp.agenda().run();
        return result;
    }

    /** Executes a request, or drops it; the answer is in the message. */
    void receive(Message message) {
        lock.lock();
        try {
            answer(message);
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #receive} with the lock held; whether the request was admitted. */
    boolean answer(Message message) {
        boolean admitted = admits(message);
        if (admitted) {
            if (reliable != null) {
                reliable.execute(message);
                if (!reliable.answers(message)) {
                    message.reply = Message.NO_REPLY;
                }
            } else if (unreliable != null) {
                unreliable.execute(message);
            } else {
                datagram.execute(message);
            }
        }
        return admitted;
    }

    /** The protocol of a reliable connection, if it is one with who sent a message, by packets of the same length. */
    RcResponder neighbour(Message message) {
        return reliable != null && reliable.answers(message) && message.mtu == qp.settings.pathMtu ? reliable : null;
    }

    /** A number that is another after each change of the settings. */
    int configuration() {
        return configuration;
    }

    /**
     * Takes a packet of a request from the wire.
     *
     * @param packet the packet
     * @param envelope where it comes from and goes to
     */
    public void receive(PacketView packet, Envelope envelope) {
        lock.lock();
        try {
            if (admits(packet, envelope)) {
                if (reliablePackets != null) {
                    reliablePackets.receive(packet);
                } else if (unreliablePackets != null) {
                    unreliablePackets.receive(packet);
                } else if (WireOpcode.isKnown(packet.opcode())) {
                    receiveDatagram(packet, envelope);
                } else {
                    drop(Counter.MALFORMED);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private void receiveDatagram(PacketView packet, Envelope envelope) {
        Message message = datagramMessage;
        boolean immediate = WireOpcode.hasImmediate(packet.opcode());
        message.opcode = immediate ? Opcode.SEND_WITH_IMM : Opcode.SEND;
        message.immediate = Words.bigEndian(packet.immediate());
        message.solicited = packet.solicited();
        message.qkey = packet.qkey();
        message.sourceQpn = packet.sourceQpn();
        message.sourceGidHigh = envelope.sourceHigh();
        message.sourceGidLow = envelope.sourceLow();
        message.destinationGidHigh = envelope.destinationHigh();
        message.destinationGidLow = envelope.destinationLow();
        // what a Java program cannot see of a packet
        message.trafficClass = 0;
        message.flowLabel = 0;
        message.hopLimit = HOP_LIMIT;
        message.view(packet);
        datagram.execute(message);
    }

    /**
     * Sends acknowledgements and answers that are due; those that somebody is about to send have left too. Control path: the caller
     * holds no lock.
     *
     * @return whether some of them must wait for another turn
     */
    public boolean pump() {
        Wire wire = qp.around.wire();
        if (wire == null) {
            return false;
        }
        boolean more;
        Outbox outbox = new Outbox(wire);
        lock.lock();
        try {
            more = sendDue(false, outbox);
        } finally {
            outbox.release();
            lock.unlock();
        }
        wire.awaitTurn();
        return more;
    }

    /**
     * Sends acknowledgements and answers that are due.
     *
     * @param patient whether who calls polls, and looks again soon: then acknowledgements may wait
     * @param outbox where those without data are written; they have left when it is released, before anything more is received
     * @return whether some of them wait for another turn
     */
    public boolean pump(boolean patient, Outbox outbox) {
        lock.lock();
        try {
            return sendDue(patient, outbox);
        } finally {
            lock.unlock();
        }
    }

    private boolean sendDue(boolean patient, Outbox outbox) {
        return answers != null && (State.receives(qp.state()) || answers.owe()) && answers.pump(patient, outbox);
    }

    /**
     * Puts an acknowledgement that is due behind requests that leave for the same peer, if it costs no call of its own. With the
     * requester's lock.
     *
     * @param out the requests
     */
    void acknowledgeWith(Outgoing out) {
        if (answers != null && answers.oweAcknowledgement() && lock.tryLock()) {
            try {
                if (State.receives(qp.state())) {
                    answers.acknowledgeWith(out);
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /** Takes over changed settings, and the way of answers to the peer: null if the connection is not over the wire; both locks held. */
    void route(Route route) {
        configuration++;
        if (answers != null) {
            answers.route(route);
        }
    }

    /** The checks that drop a request silently. */
    private boolean admits(Message message) {
        int state = qp.state();
        Settings settings = qp.settings;
        if (!State.receives(state) || message.transport != transport) {
            return drop(Counter.WRONG_STATE);
        }
        if (datagram == null && !isFromPeer(message, settings.path)) {
            return drop(Counter.WRONG_ADDRESS);
        }
        if (!pkeysMatch(message.pkey, port.pkey(settings.pkeyIndex))) {
            return drop(Counter.BAD_PKEY);
        }
        return true;
    }

    private boolean admits(PacketView packet, Envelope envelope) {
        if (WireOpcode.transport(packet.opcode()) != wireTransport || !State.receives(qp.state())) {
            return drop(Counter.WRONG_STATE);
        }
        return comesFromPeer(packet, envelope);
    }

    /** Whether a packet comes from the peer of a connection, and from its partition; called with either half's lock. */
    boolean comesFromPeer(PacketView packet, Envelope envelope) {
        if (datagram == null && !envelope.isOf(qp.settings.path)) {
            return drop(Counter.WRONG_ADDRESS);
        }
        return pkeysMatch(packet.pkey(), port.pkey(qp.settings.pkeyIndex)) || drop(Counter.BAD_PKEY);
    }

    private static boolean isFromPeer(Message message, SoftAh path) {
        return message.sourceGidLow == path.destination().low() && message.sourceGidHigh == path.destination().high()
                && message.destinationGidLow == path.source().low()
                && message.destinationGidHigh == path.source().high();
    }

    /** The same partition, and not two limited members. */
    private static boolean pkeysMatch(int theirs, int ours) {
        return ((theirs ^ ours) & ~FULL_MEMBER) == 0 && ((theirs | ours) & FULL_MEMBER) != 0
                && (ours & ~FULL_MEMBER) != 0;
    }

    private boolean drop(Counter counter) {
        qp.count(counter);
        return false;
    }

    /** Flushes the receive queue if the state is still ERR; work that was deferred. */
    void flushInError() {
        lock.lock();
        try {
            if (qp.state() == State.ERR) {
                receives.flush();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Drops all requests without completions, on the way to RESET or destruction; both locks are held. */
    public void clear() {
        receives.clear();
        qp.forgetRequests();
        if (reliable != null) {
            reliable.reset();
        }
        if (reliablePackets != null) {
            reliablePackets.clear();
        } else if (unreliablePackets != null) {
            unreliablePackets.clear();
        }
    }

    /**
     * Sets the first PSN expected, both locks held.
     *
     * @param psn 24 bits
     */
    public void firstPsn(int psn) {
        if (reliable != null) {
            reliable.expectPsn(psn);
        } else if (unreliable != null) {
            unreliable.expectPsn(psn);
        }
    }

    /** What was received, with the lock held. */
    Traffic traffic() {
        return reliable != null
                ? reliable.traffic()
                : unreliable != null ? unreliable.traffic() : datagram.traffic();
    }

    /** {@return the PSN expected next, with either lock held} */
    public int expectedPsn() {
        return reliable != null ? reliable.expectedPsn() : unreliable != null ? unreliable.expectedPsn() : 0;
    }
}
