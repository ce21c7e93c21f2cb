package io.jverbs.soft.transport.local;

import io.jverbs.soft.journal.Journal;
import io.jverbs.soft.memory.Copier;
import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.protocol.Message;
import io.jverbs.soft.protocol.Psns;
import io.jverbs.soft.protocol.Timers;
import io.jverbs.soft.protocol.WrOpcodeCode;
import io.jverbs.soft.queue.WcStatusCode;
import io.jverbs.soft.transport.Requester;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.transport.connection.RetryCounters;

/**
 * The requester of a reliable connection whose peer is in the same JVM: a request is complete when the peer has
 * acknowledged or refused it. After an RNR NAK or without a response it is attempted again. Guarded by the requester's
 * lock.
 */
public final class LocalRcRequester extends LocalDirectRequester {
    /** In place of a completion status: the request waits for the RNR timer. */
    private static final int AWAIT_RNR_TIMER = -1;
    /** In place of a completion status: the request waits for the ACK timeout. */
    private static final int AWAIT_ACK_TIMEOUT = -2;
    private static final long FOR_EVER = Long.MAX_VALUE;

    /**
     * The state of the oldest request. An attempt leads to one of three events: the request completes, it has had an
     * RNR NAK, or it has had no response. The timer expires only while the request waits, and never if the ACK timeout
     * is infinite. A flush and RESET lead to {@code IDLE} from every state.
     * <pre>
     * state      completes  RNR NAK   no response  timer expires
     * IDLE       IDLE       RNR_WAIT  ACK_WAIT     -
     * RNR_WAIT   -          -         -            RNR_RETRY
     * ACK_WAIT   -          -         -            ACK_RETRY
     * RNR_RETRY  IDLE       RNR_WAIT  ACK_WAIT     -
     * ACK_RETRY  IDLE       RNR_WAIT  ACK_WAIT     -
     * </pre>
     */
    private enum Progress {
        /** It was not attempted. */
        IDLE,
        /** The last attempt had an RNR NAK; the request waits for the RNR timer. */
        RNR_WAIT,
        /** The last attempt had no response; the request waits for the ACK timeout. */
        ACK_WAIT,
        /** The RNR timer has expired; the request is to be attempted again. */
        RNR_RETRY,
        /** The ACK timeout has expired; the request is to be attempted again, which uses up a retry. */
        ACK_RETRY
    }

    private final RetryCounters retries;
    /** The first PSN of the oldest request, the number of its packets, and how many of them are acknowledged. */
    private int firstPsn;
    private int packets;
    private int acknowledged;
    /** The number of attempts of the oldest request that had no result. */
    private int attempts;
    private Progress progress = Progress.IDLE;
    /** The alarm that the request waits for; null if there is none. */
    private Timers.Alarm alarm;
    /** The number of the latest alarm. An alarm that was cancelled may still expire; its number differs. */
    private int alarmNumber;

    public LocalRcRequester(SoftQp qp, Requester requester) {
        super(qp, requester);
        this.retries = new RetryCounters(settings);
    }

    @Override
    public boolean isBusy() {
        return progress != Progress.IDLE;
    }

    @Override
    public void execute() {
        assert requester.isHeldByCurrentThread();
        while (!isWaiting() && !requester.isEmpty() && requester.mayExecute()) {
            executeOldest();
        }
    }

    private boolean isWaiting() {
        return progress == Progress.RNR_WAIT || progress == Progress.ACK_WAIT;
    }

    private void executeOldest() {
        int at = requester.oldest();
        int opcode = requester.opcode(at);
        if (WrOpcodeCode.isLocal(opcode)) {
            requester.executeLocally(at, opcode);
            return;
        }
        int status = attempt(at, opcode);
        switch (status) {
            case AWAIT_RNR_TIMER -> startWait(Progress.RNR_WAIT, Timers.Codes.rnrNanos(message.rnrTimer));
            case AWAIT_ACK_TIMEOUT -> {
                int timeout = settings.timeout;
                startWait(Progress.ACK_WAIT, timeout == 0 ? FOR_EVER : Timers.Codes.ackNanos(timeout));
            }
            default -> {
                progress = Progress.IDLE;
                complete(at, opcode, status);
            }
        }
    }

    private void startWait(Progress wait, long nanos) {
        progress = wait;
        if (nanos != FOR_EVER) {
            int number = ++alarmNumber;
            alarm = qp.environment().timers().set(nanos, () -> expired(number));
        }
    }

    private void complete(int at, int opcode, int status) {
        if (status == WcStatusCode.SUCCESS) {
            completer.succeed(at, opcode, WrOpcodeCode.isReadOrAtomic(opcode) ? (int) message.length : 0);
        } else {
            completer.fail(at, opcode, status);
        }
    }

    private void expired(int number) {
        requester.acquire();
        try {
            if (isWaiting() && number == alarmNumber) {
                progress = progress == Progress.RNR_WAIT ? Progress.RNR_RETRY : Progress.ACK_RETRY;
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
     * Executes the oldest request, which does not wait.
     *
     * @return a completion status, {@link #AWAIT_RNR_TIMER} or {@link #AWAIT_ACK_TIMEOUT}
     */
    private int attempt(int at, int opcode) {
        if (progress == Progress.ACK_RETRY && !countRetry()) {
            return WcStatusCode.RETRY_EXC_ERR;
        }
        SoftQp target = findPeer();
        int fault = loader.load(at, opcode);
        if (fault != WcStatusCode.SUCCESS) {
            return fault;
        }
        if (progress == Progress.IDLE) {
            begin();
        }
        message.psn = Psns.add(firstPsn, acknowledged);
        message.packets = packets - acknowledged;
        message.offset = (long) acknowledged * message.mtu;
        deliver(target);
        if (message.dataValid || WrOpcodeCode.isReadOrAtomic(opcode)) {
            countPackets();
        }
        if (!message.dataValid) {
            return localFault(opcode);
        }
        int status = conclude(opcode);
        if (status == WcStatusCode.SUCCESS) {
            countMessage();
        }
        return status;
    }

    /**
     * Uses up a retry after a timeout; returns false if none is left. An RNR retry was used up when the NAK arrived.
     */
    private boolean countRetry() {
        if (!retries.useRetry()) {
            qp.count(Counter.RETRY_EXCEEDED);
            return false;
        }
        qp.count(Counter.ACK_TIMEOUT);
        qp.count(Counter.RETRANSMISSION);
        Journal.retransmission(qp, "no response in time", Psns.add(firstPsn, acknowledged), retries.retriesLeft());
        return true;
    }

    private void begin() {
        firstPsn = nextPsn();
        packets = assignPsns();
        acknowledged = 0;
        attempts = 0;
    }

    /** Counts an attempt without a result. The first one of a request restores the retry counters. */
    private void countAttempt() {
        if (attempts++ == 0) {
            retries.restore();
        }
    }

    private int localFault(int opcode) {
        qp.noteLostMemory(message.takeLoss());
        if (WrOpcodeCode.isReadOrAtomic(opcode) && message.reply != Message.ACK) {
            // the peer's response takes precedence: unless it is an ACK, there is no data to store
            return conclude(opcode);
        }
        return WcStatusCode.LOC_PROT_ERR;
    }

    /** Returns the status that the peer's response stands for. */
    private int conclude(int opcode) {
        return switch (message.reply) {
            case Message.ACK -> acknowledged(opcode);
            case Message.RNR_NAK -> receivedRnrNak();
            case Message.NAK_INVALID_REQUEST -> WcStatusCode.REM_INV_REQ_ERR;
            case Message.NAK_REMOTE_ACCESS_ERROR -> WcStatusCode.REM_ACCESS_ERR;
            case Message.NAK_REMOTE_OPERATIONAL_ERROR -> WcStatusCode.REM_OP_ERR;
            case Message.NAK_PSN_SEQUENCE_ERROR -> unexpected();
            default -> awaitTimeout();
        };
    }

    private int acknowledged(int opcode) {
        int last = Psns.difference(message.replyPsn, firstPsn);
        if (last != packets - 1) {
            return unexpected();
        }
        if (WrOpcodeCode.isReadOrAtomic(opcode)) {
            received(packets, opcode == WrOpcodeCode.RDMA_READ ? message.length : 0);
        }
        if (WrOpcodeCode.isAtomic(opcode)) {
            return storeOriginal();
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
        return AWAIT_ACK_TIMEOUT;
    }

    private int receivedRnrNak() {
        qp.count(Counter.RECEIVED_RNR);
        countAttempt();
        int executed = Psns.difference(message.replyPsn, firstPsn);
        if (executed > acknowledged && executed < packets) {
            acknowledged = executed;
            retries.restore();
        }
        if (!retries.useRnrRetry()) {
            qp.count(Counter.RNR_RETRY_EXCEEDED);
            return WcStatusCode.RNR_RETRY_EXC_ERR;
        }
        Journal.rnrWait(qp, Timers.Codes.rnrNanos(message.rnrTimer), retries.rnrLeft());
        return AWAIT_RNR_TIMER;
    }
}
