package io.jverbs.soft.transport.local;

import io.jverbs.QpType;
import io.jverbs.soft.journal.Journal;
import io.jverbs.soft.memory.Copier;
import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.protocol.Message;
import io.jverbs.soft.protocol.Psns;
import io.jverbs.soft.protocol.QpStateCode;
import io.jverbs.soft.protocol.Timers;
import io.jverbs.soft.protocol.Traffic;
import io.jverbs.soft.protocol.WrOpcodeCode;
import io.jverbs.soft.queue.WcStatusCode;
import io.jverbs.soft.transport.Network;
import io.jverbs.soft.transport.Port;
import io.jverbs.soft.transport.QpSettings;
import io.jverbs.soft.transport.Requester;
import io.jverbs.soft.transport.RequesterProtocol;
import io.jverbs.soft.transport.SendCompleter;
import io.jverbs.soft.transport.SendRing;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.transport.connection.RetryCounters;

/**
 * The requester of a connection, RC or UC, whose peer is in the same JVM. It passes one message at a time to the peer's
 * responder, which executes it in the calling thread, and processes the response as the transport requires: PSNs, ACK
 * timeouts and RNR retries. Guarded by the requester's lock.
 */
public final class LocalRequester extends RequesterProtocol {
    /** In place of a completion status: the request waits for a timer. */
    private static final int LATER = -1;
    private static final long FOR_EVER = Long.MAX_VALUE;

    /**
     * The state of the oldest request.
     * <pre>
     * state     event                              next state
     * IDLE      the peer executes or refuses it    IDLE, the request completes
     * IDLE      RNR NAK, or no response            WAITING, the timer is set
     * WAITING   the timer expires                  RETRY
     * WAITING   flush or RESET                     IDLE
     * RETRY     as in IDLE
     * </pre>
     */
    private enum Progress {
        /** It has not been started. */
        IDLE,
        /** It was attempted, and waits for the RNR timer or the ACK timeout. */
        WAITING,
        /** It was attempted before and is to be attempted again. */
        RETRY
    }

    private final SoftQp qp;
    private final Requester requester;
    private final SendRing ring;
    private final SendCompleter completer;
    private final RequestLoader loader;
    private final Message message;
    private final boolean isReliable;
    private final QpSettings settings;
    private final Network network;
    private final Port port;
    private final TapProbe tapProbe;
    /** Keeps the fields below off the cache lines of fields that the peer's thread writes. */
    @SuppressWarnings("unused")
    private long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;
    private SoftQp peer;
    private int peerGeneration;
    /** The peer's responder, if it has accepted the previous request; otherwise null. */
    private LocalRcResponder directPeer;
    private int directConfiguration;
    /** Its lowest 24 bits are the next PSN. It grows by one for each packet, so that it also counts them. */
    private long position;
    /** The difference between the position and the number of packets sent. */
    private long resent;
    private long sentMessages;
    /** The number of messages that were sent before the connection was established. */
    private long formerMessages;
    private long sentBytes;
    private long receivedPackets;
    private long receivedBytes;
    /** The first PSN of the oldest request, the number of its packets, and how many of them are acknowledged. */
    private int firstPsn;
    private int packets;
    private int acknowledged;
    /** The number of attempts of the oldest request that had no result. */
    private int attempts;
    private final RetryCounters retries;
    /** Whether the last attempt had no response; otherwise it had an RNR NAK. */
    private boolean timedOut;
    private Progress progress = Progress.IDLE;
    private Timers.Alarm alarm;
    /** The number of the latest alarm. An alarm that was cancelled may expire all the same; its number differs. */
    private int alarmNumber;
    private long delayNanos;

    public LocalRequester(SoftQp qp, Requester requester) {
        this.qp = qp;
        this.requester = requester;
        this.ring = requester.ring();
        this.completer = requester.completer();
        this.message = new Message(Math.max(1, qp.parts.capabilities().maxSendSge()));
        this.loader = new RequestLoader(qp, ring, message, false);
        this.isReliable = qp.parts.type() == QpType.RC;
        this.settings = qp.settings;
        this.retries = new RetryCounters(settings);
        this.network = qp.environment.network();
        this.port = qp.environment.port();
        this.tapProbe = new TapProbe(requester, port, settings, message);
    }

    @Override
    public void configure() {
        assert requester.isHeldByCurrentThread();
        peer = null;
        directPeer = null;
        message.mtu = settings.pathMtu;
        if (settings.path != null) {
            loader.address(settings.path);
        }
    }

    @Override
    public void nextPsn(int psn) {
        resent += position - psn;
        position = psn;
        formerMessages = sentMessages;
    }

    @Override
    public int nextPsn() {
        return (int) position & Psns.MASK;
    }

    /** Counts a message that the fast path has sent. */
    void sent(int count, long bytes) {
        position += count;
        sentMessages++;
        sentBytes += bytes;
    }

    @Override
    public Traffic traffic() {
        return new Traffic(sentMessages, position + resent, sentBytes, receivedPackets, receivedBytes);
    }

    @Override
    public boolean isBusy() {
        return progress != Progress.IDLE;
    }

    @Override
    public void execute() {
        assert requester.isHeldByCurrentThread();
        while (progress != Progress.WAITING && !ring.isEmpty() && requester.mayExecute()) {
            executeOldest();
        }
    }

    private void executeOldest() {
        int at = ring.oldest();
        int opcode = ring.opcode(at);
        if (WrOpcodeCode.isLocal(opcode)) {
            requester.executeLocally(at, opcode);
            return;
        }
        int status = attempt(at, opcode, progress == Progress.RETRY);
        if (status == LATER) {
            progress = Progress.WAITING;
            if (delayNanos != FOR_EVER) {
                int number = ++alarmNumber;
                alarm = qp.environment.timers().set(delayNanos, () -> expired(number));
            }
            return;
        }
        progress = Progress.IDLE;
        if (status == WcStatusCode.SUCCESS) {
            completer.succeed(at, opcode, WrOpcodeCode.isResponding(opcode) ? (int) message.length : 0);
        } else {
            completer.fail(at, opcode, status);
        }
    }

    private void expired(int number) {
        requester.acquire();
        try {
            if (progress == Progress.WAITING && number == alarmNumber) {
                progress = Progress.RETRY;
                alarm = null;
                requester.advance();
            }
        } catch (Throwable e) {
            qp.failUnexpectedly(e);
        } finally {
            requester.release();
        }
        qp.deferredQueue().run();
    }

    @Override
    public void stop() {
        assert requester.isHeldByCurrentThread();
        progress = Progress.IDLE;
        alarmNumber++;
        if (alarm != null) {
            alarm.cancel();
            alarm = null;
        }
    }

    /**
     * Executes the oldest request.
     *
     * @param again whether it was attempted before
     * @return a completion status, or {@link #LATER}
     */
    private int attempt(int at, int opcode, boolean again) {
        if (again && !countRetry()) {
            return WcStatusCode.RETRY_EXC_ERR;
        }
        SoftQp target = findPeer();
        int fault = loader.load(at, opcode);
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
        if (target != null) {
            requester.share(target.responder.lock());
            boolean accepted = target.responder.execute(message);
            directPeer = accepted ? (LocalRcResponder) target.responder.direct(message) : null;
            directConfiguration = target.responder.configuration();
        } else if (tapProbe.isCapturing()) {
            tapProbe.executeCaptured(sentMessages - formerMessages);
        }
        if (message.dataValid || WrOpcodeCode.isResponding(opcode)) {
            countSent(opcode);
        }
        if (!message.dataValid) {
            return localFault(opcode);
        }
        int status = isReliable ? conclude(opcode) : WcStatusCode.SUCCESS;
        if (status == WcStatusCode.SUCCESS) {
            sentMessages++;
        }
        return status;
    }

    /**
     * Uses up a retry after a timeout; returns false if none is left. An RNR retry was used up when the NAK arrived.
     */
    private boolean countRetry() {
        if (timedOut) {
            if (!retries.useRetry()) {
                qp.count(Counter.RETRY_EXCEEDED);
                return false;
            }
            qp.count(Counter.ACK_TIMEOUT);
            qp.count(Counter.RETRANSMISSION);
            Journal.retransmission(qp, "no response in time", Psns.add(firstPsn, acknowledged), retries.retriesLeft());
        }
        return true;
    }

    private void begin() {
        firstPsn = nextPsn();
        packets = WrOpcodeCode.isAtomic(message.opcode) ? 1 : Message.packets(message.length, message.mtu);
        position += packets;
        resent -= packets;
        acknowledged = 0;
        attempts = 0;
    }

    private void countSent(int opcode) {
        if (WrOpcodeCode.isResponding(opcode)) {
            resent++;
        } else {
            resent += message.packets;
            sentBytes += message.length - message.offset;
        }
    }

    /** Counts an attempt without a result. The first one of a request restores the retry counters. */
    private void countAttempt() {
        if (attempts++ == 0) {
            retries.restore();
        }
    }

    private SoftQp findPeer() {
        SoftQp known = peer;
        if (known != null && peerGeneration == network.generation() && known.state() != QpStateCode.GONE) {
            return known;
        }
        int generation = network.generation();
        peer = port.sends(message.sourceGidHigh, message.sourceGidLow)
                ? network.find(message.destinationGidHigh, message.destinationGidLow,
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
     * {@return the peer's responder, if the connection is reliable and the responder accepts the next request, as it
     * accepted the previous one, and responds to this queue pair; otherwise null}
     */
    LocalRcResponder directPeer() {
        LocalRcResponder known = directPeer;
        return known != null && peerGeneration == network.generation() && QpStateCode.receives(peer.state())
                && peer.responder.configuration() == directConfiguration ? known : null;
    }

    @Override
    public void lockTakenBack() {
        directPeer = null;
    }

    private int localFault(int opcode) {
        if (isReliable && WrOpcodeCode.isResponding(opcode) && message.reply != Message.ACK) {
            // the peer's response takes precedence: unless it is an ACK, there is no data to store
            return conclude(opcode);
        }
        return WcStatusCode.LOC_PROT_ERR;
    }

    /** Returns the status that the peer's response stands for. */
    private int conclude(int opcode) {
        return switch (message.reply) {
            case Message.ACK -> acknowledged(opcode);
            case Message.RNR_NAK -> rnr();
            case Message.NAK_INVALID -> WcStatusCode.REM_INV_REQ_ERR;
            case Message.NAK_ACCESS -> WcStatusCode.REM_ACCESS_ERR;
            case Message.NAK_OPERATION -> WcStatusCode.REM_OP_ERR;
            case Message.NAK_SEQUENCE -> unexpected();
            default -> awaitTimeout();
        };
    }

    private int acknowledged(int opcode) {
        int last = Psns.difference(message.replyPsn, firstPsn);
        if (last != packets - 1) {
            return unexpected();
        }
        if (WrOpcodeCode.isResponding(opcode)) {
            receivedPackets += packets;
        }
        if (WrOpcodeCode.isAtomic(opcode)) {
            return storeOriginal();
        }
        if (opcode == WrOpcodeCode.RDMA_READ) {
            receivedBytes += message.length;
        }
        return WcStatusCode.SUCCESS;
    }

    private int storeOriginal() {
        try {
            Copier.storeLong(message.data, message.original);
            return WcStatusCode.SUCCESS;
        } catch (IllegalStateException | InternalError e) {
            qp.noteLostMemory(e);
            return WcStatusCode.LOC_PROT_ERR;
        }
    }

    /** Treats a response to a PSN that is not outstanding as no response. */
    private int unexpected() {
        qp.count(Counter.UNEXPECTED_RESPONSE);
        return awaitTimeout();
    }

    private int awaitTimeout() {
        countAttempt();
        timedOut = true;
        int timeout = settings.timeout;
        delayNanos = timeout == 0 ? FOR_EVER : Timers.Codes.ackNanos(timeout);
        return LATER;
    }

    private int rnr() {
        qp.count(Counter.RECEIVED_RNR);
        countAttempt();
        int executed = Psns.difference(message.replyPsn, firstPsn);
        if (executed > acknowledged && executed < packets) {
            acknowledged = executed;
            retries.restore();
        }
        timedOut = false;
        if (!retries.useRnrRetry()) {
            qp.count(Counter.RNR_RETRY_EXCEEDED);
            return WcStatusCode.RNR_RETRY_EXC_ERR;
        }
        delayNanos = Timers.Codes.rnrNanos(message.rnrTimer);
        Journal.rnrWait(qp, delayNanos, retries.rnrLeft());
        return LATER;
    }
}
