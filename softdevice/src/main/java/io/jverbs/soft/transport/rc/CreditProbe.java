package io.jverbs.soft.transport.rc;

import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.protocol.Psns;
import io.jverbs.soft.protocol.Timers;
import io.jverbs.soft.protocol.WrOpcodeCode;
import io.jverbs.soft.transport.SoftQp;

/**
 * Decides when the requester of a reliable connection sends a request that the peer's credits do not cover: the
 * <em>probe</em>. The specification permits one packet beyond the credits. The peer responds with an ACK that states
 * new credits, or with an RNR NAK. Without probes a connection could stop, because a peer need not report the receive
 * requests that it posts later, and because a report can be lost. Guarded by the requester's lock.
 *
 * <p>
 * A probe that finds no receive request costs an RNR wait. The delay before a probe adapts to the peer:
 * <ul>
 * <li>At first there is none.
 * <li>An RNR NAK doubles the delay, from {@link #MIN_DELAY_NANOS} to {@link #LONG_DELAY_NANOS}. A probe that has taken
 * a receive request makes it shorter by an eighth, in the end to none. A probe that was refused is repeated after the
 * RNR wait.
 * <li>A peer that reports new credits will do so again. Then the probe is needed only if the report is lost. Its delay
 * is twice the shorter of the times that the latest two requests have waited for a report, within
 * {@link #LONG_DELAY_NANOS} and {@link #MAX_DELAY_NANOS}: a single pause of the peer does not make it longer.
 * <li>With {@link #LONG_DELAY_NANOS} or more, a request that was refused waits for credits again after the RNR wait,
 * each time for twice as long, up to {@link #MAX_DELAY_NANOS}. The next request begins with the delay of the
 * connection.
 * </ul>
 */
final class CreditProbe {
    static final long MIN_DELAY_NANOS = 64_000;
    /** The minimum if the peer reports credits, the maximum if it does not. */
    static final long LONG_DELAY_NANOS = 20_000_000;
    /** The longest time of an RNR NAK. */
    static final long MAX_DELAY_NANOS = 655_360_000;
    /** After an accepted probe the delay is shorter by this fraction, the exponent of a power of two. */
    private static final int DECREASE = 3;
    private static final long NONE = -1;

    /**
     * The state of the probe.
     * <pre>
     * state  wait ends, repeated  RNR NAK      the probe is sent  it is acknowledged  credits arrive
     * NONE   DUE                  DUE or NONE  SENT               -                   -
     * DUE    DUE                  DUE or NONE  SENT               -                   NONE
     * SENT   DUE                  DUE or NONE  SENT               NONE                -
     * </pre>
     * An RNR NAK leads to NONE if the delay is {@link #LONG_DELAY_NANOS} or more. DUE holds for one request: for others
     * it is as NONE.
     */
    private enum ProbeState {
        /** No probe is in flight. */
        NONE,
        /** The current request may be sent without credits. */
        DUE,
        /** A packet was sent without credits. */
        SENT
    }

    private final SoftQp qp;
    private final Timers timers;
    private final SendWindow sendWindow;
    private ProbeState state = ProbeState.NONE;
    /** The position of the request that may be sent in DUE. */
    private long due;
    /** The PSN of the latest packet that was sent without credits. */
    private int psn;
    /** Whether the peer accepts that packet only if it has a receive request. */
    private boolean isRefusable;
    /** How long a request waits for credits, after everything before it is acknowledged, until it is first sent. */
    private long delay;
    /** The position of the latest request that was counted because it has waited. */
    private long waited = NONE;
    /** The position of the latest request that has waited or was refused. */
    private long timed = NONE;
    /** When that request began to wait with nothing in flight, or was refused for the first time. */
    private long timedSince;
    /** How often the delay has doubled for that request. */
    private int doublings;
    /** How long a request waited for the latest report. */
    private long reportedAfter;

    CreditProbe(SoftQp qp, SendWindow sendWindow) {
        this.qp = qp;
        this.sendWindow = sendWindow;
        this.timers = qp.environment().timers();
    }

    /** Returns to the initial state: nothing is known about the peer. */
    void clear() {
        state = ProbeState.NONE;
        delay = 0;
        waited = NONE;
        timed = NONE;
        doublings = 0;
        reportedAfter = 0;
    }

    /** How long the current request waits for credits, in nanoseconds; a long time while packets are in flight. */
    long delay() {
        long wait = timed == sendWindow.next() ? Math.min(delay << doublings, MAX_DELAY_NANOS) : delay;
        return sendWindow.inFlight() == 0 ? wait : Math.max(wait, LONG_DELAY_NANOS);
    }

    /** Whether the current request, which the credits do not cover, may be sent nevertheless. */
    private boolean mayBeSent(int opcode) {
        int sent = sendWindow.sent();
        if (state == ProbeState.DUE && due == sendWindow.next()
                || sendWindow.isFirstPacketAcknowledged()
                        && sent < end(opcode, sendWindow.packets(sendWindow.next()))) {
            return true;
        }
        return delay == 0 && (sendWindow.inFlight() == 0 || sent == 0 && sendWindow.isAtCreditLimit());
    }

    /**
     * Returns the index after the last packet of the current request, which the credits do not cover, that is sent
     * without a wait for an acknowledgement or for credits. The peer takes the receive request of a SEND with its first
     * packet, that of a WRITE with its last.
     *
     * @param packets the number of packets of the request
     */
    int end(int opcode, int packets) {
        if (sendWindow.sent() == 0) {
            return 1;
        }
        return opcode == WrOpcodeCode.RDMA_WRITE_WITH_IMM && delay != 0 ? packets - 1 : packets;
    }

    /** Whether the current request, which the credits do not cover, must wait. Counts a request that waits once. */
    boolean waits(int opcode) {
        if (mayBeSent(opcode)) {
            return false;
        }
        if (sendWindow.inFlight() == 0) {
            // a request that waits behind a probe does not replace it
            timeCurrent();
        }
        if (waited != sendWindow.next()) {
            waited = sendWindow.next();
            qp.count(Counter.CREDIT_WAIT);
        }
        return true;
    }

    private void timeCurrent() {
        if (timed != sendWindow.next()) {
            timed = sendWindow.next();
            timedSince = timers.nanoTime();
            doublings = 0;
        }
    }

    /** Permits the current request to be sent, because it has waited long enough. */
    void permit() {
        becomeDue();
    }

    private void becomeDue() {
        state = ProbeState.DUE;
        due = sendWindow.next();
    }

    /** Permits the current request to be sent again, if the credits do not cover it. */
    void repeats() {
        if (sendWindow.isRepeatBeyondCredits()) {
            becomeDue();
        }
    }

    /**
     * Records that a packet of the current request was sent without credits.
     *
     * @param index the index of the packet
     * @param packets the number of packets of the request
     */
    void sent(int packetPsn, int opcode, int index, int packets) {
        state = ProbeState.SENT;
        psn = packetPsn;
        isRefusable = WrOpcodeCode.takesReceive(opcode) && index == (WrOpcodeCode.isSend(opcode) ? 0 : packets - 1);
    }

    /** Records that all packets before a PSN are acknowledged. */
    void acknowledged(int before) {
        if (state == ProbeState.SENT && Psns.difference(before, psn) > 0) {
            state = ProbeState.NONE;
            if (isRefusable) {
                delay = delay > MIN_DELAY_NANOS >> DECREASE ? delay - (delay >> DECREASE) : 0;
            }
        }
    }

    /**
     * Records that the peer had no receive request for the current request. If the peer has stated credits, they end
     * before it.
     */
    void rejected() {
        if (sendWindow.hasCreditLimit()) {
            sendWindow.limitCreditsToNext();
            timeCurrent();
            if (delay < LONG_DELAY_NANOS) {
                becomeDue();
                delay = Math.clamp(2 * delay, MIN_DELAY_NANOS, LONG_DELAY_NANOS);
            } else {
                state = ProbeState.NONE;
                doublings += delay << doublings < MAX_DELAY_NANOS ? 1 : 0;
            }
        }
    }

    /** Records that new credits have arrived. */
    void creditsArrived() {
        if (state == ProbeState.DUE) {
            state = ProbeState.NONE;
        }
    }

    /** Records that the peer has reported receive requests that it has posted, for which the current request waits. */
    void creditsReported() {
        creditsArrived();
        long waitTime = timed == sendWindow.next() ? timers.nanoTime() - timedSince : 0;
        delay = Math.clamp(2 * Math.min(waitTime, reportedAfter), LONG_DELAY_NANOS, MAX_DELAY_NANOS);
        reportedAfter = waitTime;
    }
}
