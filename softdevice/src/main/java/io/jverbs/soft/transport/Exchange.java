package io.jverbs.soft.transport;

import io.jverbs.Access;
import io.jverbs.QpType;
import io.jverbs.SendFlags;
import io.jverbs.soft.journal.Journal;
import io.jverbs.soft.memory.Copier;
import io.jverbs.soft.memory.Domain;
import io.jverbs.soft.memory.Regions;
import io.jverbs.soft.memory.SgeList;
import io.jverbs.soft.queue.WcStatusCode;
import io.jverbs.soft.wire.Bth;
import io.jverbs.soft.wire.Outgoing;

/**
 * Carries one request at a time to the peer inside the JVM and makes of the answer what the transport prescribes: sequence
 * numbers, retries after silence, retries after RNR. Guarded by the requester's lock.
 */
final class Exchange {
    static final long FOR_EVER = Long.MAX_VALUE;
    private static final int UNLIMITED_RNR = 7;
    private static final int PRIVILEGED_QKEY = 1 << 31;

    private final SoftQp qp;
    private final Requester requester;
    private final Message message;
    private final QpType type;
    private final Settings settings;
    private final Regions regions;
    private final Domain domain;
    private final Network network;
    private final Port port;
    private final long maxMessage;
    /** The way of datagrams to other JVMs, null if there is none. */
    private final Wire wire;
    private final Outbox outbox;
    private final Packetizer packetizer;
    private final Onlooker onlooker;
    /** Keeps it from the cache lines of what the peer's thread writes. */
    @SuppressWarnings("unused")
    private long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;
    private SoftQp peer;
    private int peerGeneration;
    /** The peer's responder, once it has admitted a request; null if nothing is known. */
    private RcResponder admittedBy;
    private int admittedConfiguration;
    /** Its lowest 24 bits are the next PSN; it grows with each packet, so that packets need not be counted besides. */
    private long position;
    /** What is to be added to the position for the number of packets sent. */
    private long resent;
    private long sentMessages;
    /** Those before the connection was made. */
    private long formerMessages;
    private long sentBytes;
    private long receivedPackets;
    private long receivedBytes;
    /** Of the request under way: its first PSN, its packets, and how many of them are acknowledged. */
    private int firstPsn;
    private int packets;
    private int acknowledged;
    /** Attempts of the request under way that came to nothing. */
    private int attempts;
    private int retriesLeft;
    private int rnrLeft;
    private boolean awaitsReply;
    private long delayNanos;

    Exchange(SoftQp qp, Requester requester, SendRing ring, Message message) {
        this.qp = qp;
        this.requester = requester;
        this.message = message;
        this.type = qp.parts.type();
        this.settings = qp.settings;
        this.regions = qp.around.regions();
        this.domain = qp.parts.domain();
        this.network = qp.around.network();
        this.port = qp.around.port();
        this.maxMessage = qp.around.maxMessage();
        this.wire = qp.around.wire();
        this.outbox = new Outbox(wire);
        this.onlooker = new Onlooker(requester, port, settings, message);
        this.packetizer = wire == null || type != QpType.UD ? null : new Packetizer(qp, ring);
        message.transport = type.code();
        message.sourceQpn = qp.number();
    }

    /** Takes over settings that stay the same from request to request. */
    void configure() {
        peer = null;
        admittedBy = null;
        message.mtu = settings.pathMtu;
        if (settings.path != null) {
            address(settings.path);
        }
    }

    private void address(SoftAh path) {
        message.sourceGidHigh = path.source().high();
        message.sourceGidLow = path.source().low();
        message.destinationGidHigh = path.destination().high();
        message.destinationGidLow = path.destination().low();
        message.trafficClass = path.trafficClass();
        message.hopLimit = path.hopLimit();
        message.flowLabel = path.flowLabel();
    }

    void nextPsn(int psn) {
        resent += position - psn;
        position = psn;
        formerMessages = sentMessages;
    }

    int nextPsn() {
        return (int) position & Psns.MASK;
    }

    /** The next message has gone the short way. */
    void sent(int count, long bytes) {
        position += count;
        sentMessages++;
        sentBytes += bytes;
    }

    Traffic traffic() {
        return new Traffic(sentMessages, position + resent, sentBytes, receivedPackets, receivedBytes);
    }

    /** How long to wait before the next attempt, after LATER. */
    long delayNanos() {
        return delayNanos;
    }

    /** Tries the oldest request, again if it was tried before; returns a completion status or LATER. */
    int attempt(SendRing ring, int at, int opcode, boolean again) {
        if (again && !countRetry()) {
            return WcStatusCode.RETRY_EXC_ERR;
        }
        SoftQp target = type == QpType.UD ? null : findPeer();
        int fault = load(ring, at, opcode);
        if (fault != WcStatusCode.SUCCESS) {
            return fault;
        }
        if (!again) {
            begin();
        }
        message.psn = Psns.add(firstPsn, acknowledged);
        message.packets = packets - acknowledged;
        message.offset = (long) acknowledged * message.mtu;
        message.reply = Message.NO_REPLY;
        if (type == QpType.UD) {
            sendDatagram(ring, at);
        } else if (target != null) {
            requester.share(target.responder.lock());
            boolean admitted = target.responder.answer(message);
            admittedBy = admitted ? target.responder.neighbour(message) : null;
            admittedConfiguration = target.responder.configuration();
        } else if (onlooker.isThere()) {
            onlooker.exchange(sentMessages - formerMessages);
        }
        if (message.dataValid || Opcode.isResponding(opcode)) {
            countSent(opcode);
        }
        if (!message.dataValid) {
            return localFault(opcode);
        }
        int status = type == QpType.RC ? conclude(opcode) : WcStatusCode.SUCCESS;
        if (status == WcStatusCode.SUCCESS) {
            sentMessages++;
        }
        return status;
    }

    /** After silence a retry is used up; after RNR it was when the NAK came. */
    private boolean countRetry() {
        if (awaitsReply) {
            if (retriesLeft == 0) {
                qp.count(Counter.RETRY_EXCEEDED);
                return false;
            }
            qp.count(Counter.ACK_TIMEOUT);
            qp.count(Counter.RETRANSMISSION);
            retriesLeft--;
            Journal.retransmission(qp, "no answer in time", Psns.add(firstPsn, acknowledged), retriesLeft);
        }
        return true;
    }

    private void begin() {
        firstPsn = nextPsn();
        packets = type == QpType.UD
                ? 1
                : Opcode.isAtomic(message.opcode) ? 1 : Message.packets(message.length, message.mtu);
        position += packets;
        resent -= packets;
        acknowledged = 0;
        attempts = 0;
    }

    private void countSent(int opcode) {
        if (Opcode.isResponding(opcode)) {
            resent++;
        } else {
            resent += message.packets;
            sentBytes += message.length - message.offset;
        }
    }

    /** Counts from anew once a first attempt came to nothing, or there was progress. */
    private void restoreRetries() {
        retriesLeft = settings.retryCount;
        rnrLeft = settings.rnrRetry;
    }

    private void noteFutileAttempt() {
        if (attempts++ == 0) {
            restoreRetries();
        }
    }

    /** Fills the message from the ring; returns a completion status. */
    private int load(SendRing ring, int at, int opcode) {
        int flags = ring.flags(at);
        message.opcode = opcode;
        message.immediate = ring.immediate(at);
        message.solicited = (flags & SendFlags.SOLICITED) != 0;
        message.remoteAddress = ring.remoteAddress(at);
        message.rkey = ring.rkey(at);
        message.pkey = port.pkey(settings.pkeyIndex);
        if (Opcode.isAtomic(opcode)) {
            message.compareAdd = ring.compareAdd(at);
            message.swap = ring.swap(at);
            message.rkey = ring.atomicRkey(at);
        }
        return loadData(ring, at, opcode, flags);
    }

    private int loadData(SendRing ring, int at, int opcode, int flags) {
        if ((flags & SendFlags.INLINE) != 0) {
            message.length = ring.inlineLength(at);
            message.data.clear();
            if (message.length != 0) {
                message.data.set(ring.inlineMemory(), ring.inlineOffset(), message.length);
            }
            message.dataValid = true;
            return checkLength(opcode);
        }
        int count = ring.sgeCount(at);
        message.length = SgeList.length(ring.elements(), ring.firstElement(at), count);
        int status = checkLength(opcode);
        if (status != WcStatusCode.SUCCESS) {
            return status;
        }
        boolean responding = Opcode.isResponding(opcode);
        message.dataValid = message.data.resolve(regions, domain,
                responding ? Access.LOCAL_WRITE : 0,
                ring.elements(), ring.firstElement(at), count, message.length);
        return message.dataValid || responding ? WcStatusCode.SUCCESS : WcStatusCode.LOC_PROT_ERR;
    }

    private int checkLength(int opcode) {
        long limit = type == QpType.UD ? port.mtu() : maxMessage;
        if (message.length > limit || Opcode.isAtomic(opcode) && message.length != Long.BYTES) {
            return WcStatusCode.LOC_LEN_ERR;
        }
        return WcStatusCode.SUCCESS;
    }

    private SoftQp findPeer() {
        SoftQp known = peer;
        if (known != null && peerGeneration == network.generation() && known.state() != State.GONE) {
            return known;
        }
        int generation = network.generation();
        peer = port.isUp()
                ? network.find(message.destinationGidHigh, message.destinationGidLow,
                        settings.destinationQpn)
                : null;
        peerGeneration = generation;
        // the lock may be that of another's responder
        requester.unshare();
        admittedBy = null;
        peer = onlooker.unseen(peer);
        return peer;
    }

    /**
     * The responder of a reliable connection's peer if it would admit the next request as it did the last one, and answer to
     * this queue pair; otherwise null.
     */
    RcResponder neighbour() {
        RcResponder known = admittedBy;
        return known != null && peerGeneration == network.generation() && State.receives(peer.state())
                && peer.responder.configuration() == admittedConfiguration ? known : null;
    }

    /** The lock at hand is no longer that of the peer's responder. */
    void leave() {
        admittedBy = null;
    }

    private void sendDatagram(SendRing ring, int at) {
        SoftAh path = (SoftAh) ring.firstNamed();
        if (path.domain() != domain) {
            message.reply = Message.NAK_OPERATION;
            message.dataValid = false;
            return;
        }
        address(path);
        int qkey = ring.remoteQkey(at);
        message.qkey = (qkey & PRIVILEGED_QKEY) != 0 ? settings.qkey : qkey;
        message.mtu = port.mtu();
        if (!port.isUp()) {
            return;
        }
        int qpn = ring.remoteQpn(at);
        if (qpn == Bth.MULTICAST_QPN && path.destination().isMulticast()) {
            SoftQp[] members = network.members(message.destinationGidHigh, message.destinationGidLow);
            Route route = packetizer == null ? null : path.route();
            if (route == null) {
                onlooker.show(members, qpn);
            }
            for (SoftQp member : members) {
                Port entrance = member.around.port();
                if (entrance.isUp()) {
                    member.responder.receive(message);
                } else {
                    entrance.count(Counter.PORT_DOWN);
                }
            }
            if (route != null && message.dataValid) {
                sendOverWire(route, ring, at, qpn);
            }
        } else {
            SoftQp target = network.find(message.destinationGidHigh, message.destinationGidLow, qpn);
            Route route = target != null || packetizer == null
                    || network.isLocal(message.destinationGidHigh, message.destinationGidLow) ? null : path.route();
            if (route != null) {
                sendOverWire(route, ring, at, qpn);
            } else {
                onlooker.show(target, qpn);
                if (target != null) {
                    target.responder.receive(message);
                }
            }
        }
    }

    private void sendOverWire(Route route, SendRing ring, int at, int qpn) {
        if (packetizer.load(at, message.opcode) != WcStatusCode.SUCCESS) {
            message.dataValid = false;
            return;
        }
        Outgoing out = outbox.room();
        int status = packetizer.writeDatagram(out, qpn, message.qkey, message.psn);
        if (status == WcStatusCode.SUCCESS) {
            wire.send(out, route);
        } else {
            message.dataValid = false;
        }
    }

    /** Datagrams that were written leave. */
    void sendWritten() {
        outbox.release();
    }

    private int localFault(int opcode) {
        if (type == QpType.UD && message.reply == Message.NAK_OPERATION) {
            return WcStatusCode.LOC_QP_OP_ERR;
        }
        if (type == QpType.RC && Opcode.isResponding(opcode) && message.reply != Message.ACK) {
            // the peer's answer comes first: there is no data to place until it agrees
            return conclude(opcode);
        }
        return WcStatusCode.LOC_PROT_ERR;
    }

    /** Makes a status of the peer's answer. */
    private int conclude(int opcode) {
        return switch (message.reply) {
            case Message.ACK -> acknowledged(opcode);
            case Message.RNR_NAK -> rnr();
            case Message.NAK_INVALID -> WcStatusCode.REM_INV_REQ_ERR;
            case Message.NAK_ACCESS -> WcStatusCode.REM_ACCESS_ERR;
            case Message.NAK_OPERATION -> WcStatusCode.REM_OP_ERR;
            case Message.NAK_SEQUENCE -> unexpected();
            default -> awaitReply();
        };
    }

    private int acknowledged(int opcode) {
        int last = Psns.difference(message.replyPsn, firstPsn);
        if (last != packets - 1) {
            return unexpected();
        }
        if (Opcode.isResponding(opcode)) {
            receivedPackets += packets;
        }
        if (Opcode.isAtomic(opcode)) {
            return storeOriginal();
        }
        if (opcode == Opcode.RDMA_READ) {
            receivedBytes += message.length;
        }
        return WcStatusCode.SUCCESS;
    }

    private int storeOriginal() {
        try {
            Copier.storeLong(message.data, message.original);
            return WcStatusCode.SUCCESS;
        } catch (IllegalStateException | InternalError e) {
            return WcStatusCode.LOC_PROT_ERR;
        }
    }

    /** An answer for a PSN that is not under way is as good as silence. */
    private int unexpected() {
        qp.count(Counter.UNEXPECTED_RESPONSE);
        return awaitReply();
    }

    private int awaitReply() {
        noteFutileAttempt();
        awaitsReply = true;
        int timeout = settings.timeout;
        delayNanos = timeout == 0 ? FOR_EVER : Timers.Codes.ackNanos(timeout);
        return Requester.LATER;
    }

    private int rnr() {
        qp.count(Counter.RECEIVED_RNR);
        noteFutileAttempt();
        int progress = Psns.difference(message.replyPsn, firstPsn);
        if (progress > acknowledged && progress < packets) {
            acknowledged = progress;
            restoreRetries();
        }
        awaitsReply = false;
        if (rnrLeft == 0) {
            qp.count(Counter.RNR_RETRY_EXCEEDED);
            return WcStatusCode.RNR_RETRY_EXC_ERR;
        }
        if (rnrLeft != UNLIMITED_RNR) {
            rnrLeft--;
        }
        delayNanos = Timers.Codes.rnrNanos(message.rnrTimer);
        Journal.rnrWait(qp, delayNanos, rnrLeft);
        return Requester.LATER;
    }
}
