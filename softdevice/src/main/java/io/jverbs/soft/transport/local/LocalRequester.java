package io.jverbs.soft.transport.local;

import io.jverbs.soft.memory.KeyEntry;
import io.jverbs.soft.protocol.Message;
import io.jverbs.soft.protocol.Psns;
import io.jverbs.soft.protocol.QpStateCode;
import io.jverbs.soft.protocol.Traffic;
import io.jverbs.soft.protocol.WrOpcodeCode;
import io.jverbs.soft.transport.DirectResponder;
import io.jverbs.soft.transport.LocalPeers;
import io.jverbs.soft.transport.Port;
import io.jverbs.soft.transport.QpSettings;
import io.jverbs.soft.transport.Requester;
import io.jverbs.soft.transport.RequesterProtocol;
import io.jverbs.soft.transport.SendCompleter;
import io.jverbs.soft.transport.SoftQp;

/**
 * What each request to a peer in the same JVM reads and writes. In a class of its own, because the JVM lays the fields
 * of a class out together: with many queue pairs in turn, a request takes as long as the cache misses that it has.
 */
abstract class LocalRequesterState extends RequesterProtocol {
    final SoftQp qp;
    final Requester requester;
    final boolean signalAll;
    /** Whether a request may have an element. */
    final boolean takesElements;
    final long maxMessage;
    /** Its lowest 24 bits are the next PSN. It grows by one for each packet, so that it also counts them. */
    long position;
    long sentMessages;
    long sentBytes;
    /** {@link LocalPeers#generation} when the peer was found. */
    int peerGeneration;
    /** {@link DirectResponder#configuration} when the peer's responder had accepted a request. */
    int directConfiguration;
    /** The path MTU in bytes. */
    int mtu;
    /** The peer's responder, if it has accepted the previous request; otherwise null. */
    DirectResponder directPeer;
    final LocalPeers peers;
    /** The entry of the key that a WRITE or SEND has named, which may have been revoked. */
    KeyEntry source;

    LocalRequesterState(SoftQp qp, Requester requester) {
        this.qp = qp;
        this.requester = requester;
        this.signalAll = qp.parts().signalAll();
        this.takesElements = qp.parts().capabilities().maxSendSge() > 0;
        this.maxMessage = qp.environment().maxMessage();
        this.peers = qp.environment().localPeers();
    }
}

/**
 * The requester of a connection whose peer is in the same JVM: finds the peer and passes it one message at a time,
 * which the peer's responder executes in the calling thread. Subclasses define when a request is complete. Guarded by
 * the requester's lock.
 */
abstract class LocalRequester extends LocalRequesterState {
    final SendCompleter completer;
    final RequestLoader loader;
    final Message message;
    final QpSettings settings;
    private final Port port;
    private final TapProbe tapProbe;
    private SoftQp peer;
    /** The difference between the position and the number of packets sent. */
    private long resent;
    /** The number of messages that were sent before the connection was established. */
    private long formerMessages;

    LocalRequester(SoftQp qp, Requester requester) {
        super(qp, requester);
        this.completer = requester.completer();
        this.message = new Message(Math.max(1, qp.parts().capabilities().maxSendSge()));
        this.loader = new RequestLoader(qp, requester, message);
        this.settings = qp.settings();
        this.port = qp.environment().port();
        this.tapProbe = new TapProbe(qp, requester, message);
    }

    @Override
    public final void configure() {
        assert requester.isHeldByCurrentThread();
        peer = null;
        directPeer = null;
        mtu = settings.pathMtu;
        message.mtu = mtu;
        if (settings.path != null) {
            loader.address(settings.path);
        }
    }

    @Override
    public final void nextPsn(int psn) {
        assert requester.isHeldByCurrentThread();
        resent += position - psn;
        position = psn;
        formerMessages = sentMessages;
    }

    @Override
    public final int nextPsn() {
        return (int) position & Psns.MASK;
    }

    /** Counts a message that the fast path has sent. */
    final void sent(int count, long bytes) {
        position += count;
        sentMessages++;
        sentBytes += bytes;
    }

    /** Counts a READ or atomic that the fast path has executed. */
    final void sentRead(int packets) {
        position += packets;
        // the request has one packet, however many the response has
        resent -= packets - 1;
        sentMessages++;
    }

    @Override
    public Traffic traffic() {
        return new Traffic(sentMessages, position + resent, sentBytes, 0, 0);
    }

    /** Assigns PSNs to the loaded request; returns the number of its packets, which are counted when they are sent. */
    final int assignPsns() {
        int packets = WrOpcodeCode.isAtomic(message.opcode) ? 1 : Message.packets(message.length, message.mtu);
        position += packets;
        resent -= packets;
        return packets;
    }

    /** Counts the packets of the present message. */
    final void countPackets() {
        if (WrOpcodeCode.isReadOrAtomic(message.opcode)) {
            resent++;
        } else {
            resent += message.packets;
            sentBytes += message.length - message.offset;
        }
    }

    /** Counts the message that the oldest request has sent. */
    final void countMessage() {
        sentMessages++;
    }

    /** {@return the peer, or null if there is none or packets are captured} */
    final SoftQp findPeer() {
        SoftQp known = peer;
        if (known != null && peerGeneration == peers.generation() && known.state() != QpStateCode.DESTROYED) {
            return known;
        }
        int generation = peers.generation();
        peer = port.sends(message.sourceGidHigh, message.sourceGidLow)
                ? peers.find(message.destinationGidHigh, message.destinationGidLow,
                        settings.destinationQpn)
                : null;
        peerGeneration = generation;
        // the lock may be that of another queue pair's responder
        requester.unshare();
        directPeer = null;
        peer = tapProbe.unlessCaptured(peer);
        return peer;
    }

    /**
     * Lets the peer execute the message; the message has no reply if there is no peer.
     *
     * @param target what {@link #findPeer} has returned
     */
    final void deliver(SoftQp target) {
        message.reply = Message.NO_REPLY;
        if (target != null) {
            requester.share(target.responder().lock());
            boolean accepted = target.responder().execute(message);
            acceptsDirectly(accepted ? target.responder().direct(message) : null, target);
        } else if (tapProbe.isCapturing()) {
            tapProbe.executeCaptured(sentMessages - formerMessages);
        }
    }

    /**
     * Sets the peer's responder that executes requests directly. The configuration is read before the state: if the
     * state changes after it was read, the configuration changes, too.
     */
    private void acceptsDirectly(DirectResponder direct, SoftQp target) {
        int configuration = direct == null ? 0 : direct.configuration();
        DirectResponder accepting = QpStateCode.receives(target.state()) ? direct : null;
        // no method is called between these two
        directConfiguration = configuration;
        directPeer = accepting;
    }

    /**
     * {@return the peer's responder, if it executes requests directly, accepts the next request, as it accepted the
     * previous one, and responds to this queue pair; otherwise null}
     */
    final DirectResponder directPeer() {
        DirectResponder known = directPeer;
        return known != null && peerGeneration == peers.generation()
                && known.configuration() == directConfiguration ? known : null;
    }

    @Override
    public final void lockTakenBack() {
        directPeer = null;
    }
}
