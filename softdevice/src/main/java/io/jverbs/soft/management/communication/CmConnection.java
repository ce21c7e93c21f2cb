package io.jverbs.soft.management.communication;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import io.jverbs.soft.journal.Journal;
import io.jverbs.soft.management.message.CmAttribute;
import io.jverbs.soft.management.message.CmMessage;
import io.jverbs.soft.management.message.CmMessageType;
import io.jverbs.soft.management.message.ConnectReject;
import io.jverbs.soft.management.message.ConnectReply;
import io.jverbs.soft.management.message.ConnectRequest;
import io.jverbs.soft.management.message.DisconnectReply;
import io.jverbs.soft.management.message.DisconnectRequest;
import io.jverbs.soft.management.message.MessageReceiptAck;
import io.jverbs.soft.management.message.PrivateData;
import io.jverbs.soft.management.message.ReadyToUse;
import io.jverbs.soft.management.message.RejectReason;
import io.jverbs.soft.protocol.Timers;
import java.util.function.Consumer;

/**
 * One half of a connection: its state, the message that it sends until a response arrives, and what is known of the
 * peer. {@link CmTransitions} has the states. Guarded by the lock of its {@link CmAgent}, which passes messages in and
 * sends those that this class puts out.
 */
public final class CmConnection {
    private final CmAgent agent;
    private final int localCommId;
    private Consumer<CmNotice> handler;
    private CmState state = CmState.IDLE;
    private int remoteCommId;
    private CmPeer peer;
    private int localQpn;
    private CmPath path;
    /** The transaction of the REQ, which the messages up to the RTU repeat. */
    private long transactionId;
    /** The transaction of the DREQ that has arrived. */
    private long disconnectId;
    /** The response to a repeated message of the peer: an MRA, or the RTU; null if there is none. */
    private CmMessage repeated;
    private final CmRetransmission retransmission;
    /** The time between two sends of a message that awaits a response, in nanoseconds. */
    private long intervalNanos;
    private int retries = CmDurations.MAX_RETRIES;
    /** The code of the ACK timeout, which is the time in TIMEWAIT: on the active side without the peer's delay yet. */
    private int timewaitCode;
    /** Ends TIMEWAIT. */
    private Timers.Alarm timewait;

    CmConnection(CmAgent agent, int localCommId, Consumer<CmNotice> handler) {
        this.agent = agent;
        this.localCommId = localCommId;
        this.handler = handler;
        this.retransmission = new CmRetransmission(agent, this::noResponse);
    }

    /** Sets what is called for notices from now on. */
    public void handler(Consumer<CmNotice> changed) {
        handler = changed;
    }

    public int localCommId() {
        return localCommId;
    }

    public int remoteCommId() {
        return remoteCommId;
    }

    public CmPath path() {
        return path;
    }

    CmPeer peer() {
        return peer;
    }

    public CmState state() {
        return state;
    }

    /** Enters the next state; returns false without effect if the input is ignored in the present state. */
    private boolean enter(CmInput input) {
        CmState next = CmTransitions.next(state, input);
        if (next == null) {
            return false;
        }
        if (next != state) {
            Journal.connectionState(agent.device(), localCommId, remoteCommId, input, state, next);
        }
        state = next;
        if (next == CmState.TIMEWAIT) {
            startTimewait();
        } else if (next == CmState.IDLE) {
            retransmission.stop();
            agent.forget(this);
        }
        return true;
    }

    private void require(CmInput input, String operation) {
        if (CmTransitions.next(state, input) == null) {
            throw new VerbsException(operation, Errno.EINVAL,
                    "the connection is in state " + state + ", allowed are " + CmTransitions.allowed(input));
        }
    }

    private void startTimewait() {
        retransmission.stop();
        timewait = agent.alarm(agent.durations().nanos(timewaitCode), this::exitTimewait);
        agent.enteredTimewait(this);
    }

    /** Ends TIMEWAIT: its time has passed, or too many connections are in it. */
    void exitTimewait() {
        if (enter(CmInput.TIMEWAIT_EXIT)) {
            timewait.cancel();
            deliver(new CmNotice.TimewaitExited(this));
        }
    }

    private void deliver(CmNotice notice) {
        agent.deliver(handler, notice);
    }

    // operations of this side

    /**
     * Sends a REQ.
     *
     * @param lifeTime the code for the life time of a packet on the path
     */
    public void connect(ConnectRequest request, CmPath to, int lifeTime) {
        require(CmInput.SEND_REQ, "connect");
        path = to;
        localQpn = request.qpn();
        transactionId = agent.newTransaction();
        timewaitCode = lifeTime + 1;
        intervalNanos = agent.durations().requestTimeout(lifeTime,
                request.remoteCmResponseTimeout());
        retries = request.maxCmRetries();
        enter(CmInput.SEND_REQ);
        retransmission.start(request.encode(transactionId), path, intervalNanos, retries);
    }

    /** Throws EINVAL if no REP can be sent in this state. */
    public void checkAccept() {
        require(CmInput.SEND_REP, "accept");
    }

    /** Sends a REP. */
    public void accept(ConnectReply reply) {
        checkAccept();
        localQpn = reply.qpn();
        repeated = null;
        enter(CmInput.SEND_REP);
        retransmission.start(reply.encode(transactionId), path, intervalNanos, retries);
    }

    /** Sends an RTU. */
    public void readyToUse(PrivateData data) {
        require(CmInput.SEND_RTU, "establish");
        enter(CmInput.SEND_RTU);
        repeated = new ReadyToUse(localCommId, remoteCommId, data);
        agent.send(repeated.encode(transactionId), path);
    }

    /** Notes that the queue pair has received a packet; returns whether this established the connection. */
    public boolean communicationEstablished() {
        boolean isNew = enter(CmInput.COMM_EST);
        if (isNew) {
            retransmission.stop();
            deliver(new CmNotice.Established(this, PrivateData.NONE));
        }
        return isNew;
    }

    /** Sends a REJ. */
    public void reject(int reason, PrivateData info, PrivateData data) {
        require(CmInput.SEND_REJ, "reject");
        sendReject(reason, info, data);
    }

    private void sendReject(int reason, PrivateData info, PrivateData data) {
        CmMessageType rejected = switch (state) {
            case REQ_RCVD, MRA_REQ_SENT -> CmMessageType.REQ;
            case REP_RCVD, MRA_REP_SENT -> CmMessageType.REP;
            default -> CmMessageType.OTHER;
        };
        ConnectReject reject = new ConnectReject(localCommId, remoteCommId, rejected, reason, info, data);
        enter(CmInput.SEND_REJ);
        retransmission.stop();
        agent.send(reject.encode(transactionId), path);
    }

    /** Returns whether a DREQ or a DREP can be sent in this state. */
    public boolean canDisconnect() {
        return CmTransitions.next(state, CmInput.SEND_DREP) != null
                || CmTransitions.next(state, CmInput.SEND_DREQ) != null;
    }

    /** Sends a DREQ, or a DREP if the peer has sent a DREQ; throws EINVAL if neither can be sent. */
    public void disconnect(PrivateData data) {
        if (CmTransitions.next(state, CmInput.SEND_DREP) != null) {
            enter(CmInput.SEND_DREP);
            agent.send(new DisconnectReply(localCommId, remoteCommId, data).encode(disconnectId), path);
            return;
        }
        require(CmInput.SEND_DREQ, "disconnect");
        sendDisconnect(data);
    }

    private void sendDisconnect(PrivateData data) {
        enter(CmInput.SEND_DREQ);
        DisconnectRequest request = new DisconnectRequest(localCommId, remoteCommId, peer.qpn(), data);
        retransmission.start(request.encode(agent.newTransaction()), path, intervalNanos, retries);
    }

    /** Ends the connection because the program destroys its object: notifies the peer, and reports nothing any more. */
    public void destroy() {
        handler = ignored -> {};
        switch (state) {
            case REQ_SENT, MRA_REQ_RCVD ->
                sendReject(RejectReason.TIMEOUT, agent.guidAsInfo(), PrivateData.NONE);
            case REQ_RCVD, MRA_REQ_SENT, REP_SENT, MRA_REP_RCVD, REP_RCVD, MRA_REP_SENT ->
                sendReject(RejectReason.CONSUMER_DEFINED, PrivateData.NONE, PrivateData.NONE);
            case ESTABLISHED -> {
                sendDisconnect(PrivateData.NONE);
                // no thread waits for the DREP
                enter(CmInput.NO_RESPONSE);
            }
            case DREQ_SENT -> enter(CmInput.NO_RESPONSE);
            case DREQ_RCVD -> disconnect(PrivateData.NONE);
            case IDLE, TIMEWAIT -> {
                // the peer knows that there is no connection
            }
        }
    }

    /** Ends a connection whose REQ cannot be queued, without a response: the peer sends the REQ again. */
    public void drop() {
        enter(CmInput.REJ);
    }

    /** Prepares an MRA, which responds to a repeated REQ or REP, because the program needs time. */
    public void prepareReceiptAck() {
        CmMessageType message = state == CmState.REQ_RCVD ? CmMessageType.REQ : CmMessageType.REP;
        if (enter(CmInput.SEND_MRA)) {
            repeated = new MessageReceiptAck(localCommId, remoteCommId, message, CmDurations.SERVICE_TIMEOUT,
                    PrivateData.NONE);
        }
    }

    // messages of the peer

    /** A REQ has arrived for this new connection. */
    void received(ConnectRequest request, long transaction, CmPath from, CmListener listener) {
        path = from;
        remoteCommId = request.localCommId();
        peer = new CmPeer(request.qpn(), request.caGuid());
        transactionId = transaction;
        timewaitCode = request.primaryPath().localAckTimeout();
        intervalNanos = agent.durations().nanos(request.localCmResponseTimeout());
        retries = request.maxCmRetries();
        enter(CmInput.REQ);
        deliver(new CmNotice.RequestReceived(this, listener, request));
    }

    /** A REQ has arrived again. */
    void duplicateReq() {
        agent.counters().drop(CmDropReason.DUPLICATE, CmAttribute.REQ);
        switch (state) {
            case MRA_REQ_SENT -> agent.send(repeated.encode(transactionId), path);
            case TIMEWAIT -> agent.send(new ConnectReject(localCommId, remoteCommId, CmMessageType.REQ,
                    RejectReason.STALE_CONNECTION, PrivateData.NONE, PrivateData.NONE).encode(transactionId), path);
            default -> {
                // the response is sent when the program has decided, or was sent
            }
        }
    }

    /** A REP has arrived. */
    void received(ConnectReply reply) {
        if (CmTransitions.next(state, CmInput.REP) == null) {
            agent.counters().drop(CmDropReason.DUPLICATE, CmAttribute.REP);
            if (repeated != null && (state == CmState.ESTABLISHED || state == CmState.MRA_REP_SENT)) {
                agent.send(repeated.encode(transactionId), path);
            }
            return;
        }
        if (agent.connections().byRemoteId(reply.localCommId(), reply.caGuid()) != null) {
            agent.counters().drop(CmDropReason.DUPLICATE, CmAttribute.REP);
            return;
        }
        CmConnection stale = agent.connections().byPeer(reply.qpn(), reply.caGuid());
        if (stale != null) {
            rejectStaleRep(reply);
            stale.endStale();
            return;
        }
        remoteCommId = reply.localCommId();
        peer = new CmPeer(reply.qpn(), reply.caGuid());
        agent.connections().register(this);
        timewaitCode = CmDurations.ackTimeout(reply.targetAckDelay(), timewaitCode - 1);
        enter(CmInput.REP);
        retransmission.stop();
        deliver(new CmNotice.ReplyReceived(this, reply));
    }

    /**
     * Rejects a REP of a queue pair that another connection has. It may come from anybody, so this connection waits on
     * for another REP, as on Linux.
     */
    private void rejectStaleRep(ConnectReply reply) {
        agent.counters().drop(CmDropReason.STALE_REP, CmAttribute.REP);
        agent.send(new ConnectReject(localCommId, reply.localCommId(), CmMessageType.REP,
                RejectReason.STALE_CONNECTION, PrivateData.NONE, PrivateData.NONE).encode(transactionId), path);
    }

    /** Sends a DREQ, because the queue pair of the peer has sent a REQ or a REP for another connection. */
    void endStale() {
        if (CmTransitions.next(state, CmInput.SEND_DREQ) != null) {
            sendDisconnect(PrivateData.NONE);
        }
    }

    /** An RTU has arrived. */
    void received(ReadyToUse ready) {
        if (enter(CmInput.RTU)) {
            retransmission.stop();
            deliver(new CmNotice.Established(this, ready.privateData()));
        } else {
            agent.counters().drop(CmDropReason.DUPLICATE, CmAttribute.RTU);
        }
    }

    /** An MRA has arrived. */
    void received(MessageReceiptAck ack) {
        CmInput input = switch (ack.acknowledged()) {
            case REQ -> CmInput.MRA_OF_REQ;
            case REP -> CmInput.MRA_OF_REP;
            // a LAP, which this side does not send
            case OTHER -> null;
        };
        if (input != null && enter(input)) {
            retransmission.extend(agent.durations().nanos(ack.serviceTimeout())
                    + agent.durations().nanos(timewaitCode));
        } else {
            agent.counters().drop(CmDropReason.DUPLICATE, CmAttribute.MRA);
        }
    }

    /** A REJ has arrived. */
    void received(ConnectReject reject) {
        boolean stale = reject.reason() == RejectReason.STALE_CONNECTION;
        if (enter(stale ? CmInput.REJ_STALE : CmInput.REJ)) {
            deliver(new CmNotice.Rejected(this, reject));
        } else {
            agent.counters().drop(CmDropReason.DUPLICATE, CmAttribute.REJ);
        }
    }

    /** A DREQ has arrived. */
    void received(DisconnectRequest request, long transaction) {
        if (request.remoteQpn() != localQpn) {
            agent.counters().drop(CmDropReason.DUPLICATE, CmAttribute.DREQ);
        } else if (state == CmState.TIMEWAIT) {
            agent.counters().drop(CmDropReason.DUPLICATE, CmAttribute.DREQ);
            agent.send(new DisconnectReply(localCommId, remoteCommId, PrivateData.NONE).encode(transaction), path);
        } else if (enter(CmInput.DREQ)) {
            retransmission.stop();
            disconnectId = transaction;
            deliver(new CmNotice.DisconnectRequested(this, request.privateData()));
        } else {
            agent.counters().drop(CmDropReason.DUPLICATE, CmAttribute.DREQ);
        }
    }

    /** A DREP has arrived. */
    void received(DisconnectReply reply) {
        if (enter(CmInput.DREP)) {
            deliver(new CmNotice.Disconnected(this, false));
        } else {
            agent.counters().drop(CmDropReason.DUPLICATE, CmAttribute.DREP);
        }
    }

    /** No response has arrived after the last send. */
    private void noResponse() {
        boolean disconnecting = state == CmState.DREQ_SENT;
        if (enter(CmInput.NO_RESPONSE)) {
            deliver(disconnecting ? new CmNotice.Disconnected(this, true) : new CmNotice.Unreachable(this));
        }
    }
}
