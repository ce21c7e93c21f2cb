package io.jverbs.soft.transport.rc;

import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.protocol.Psns;
import io.jverbs.soft.protocol.WrOpcodeCode;
import io.jverbs.soft.transport.SoftQp;

/**
 * Decides when the requester of a reliable connection sends a request that the peer's credits do not cover: the
 * <em>probe</em>. The specification permits one packet beyond the credits, which an ACK with new credits or an RNR NAK
 * follows. Without it, a connection could stop: a peer may not report the receive requests that it posts later, and the
 * report may be lost. Guarded by the requester's lock.
 *
 * <p>
 * A probe that finds no receive request costs an RNR wait. So probes are sent at once at first. After an RNR NAK they
 * are delayed, more with each RNR NAK and less with each probe that has taken a receive request, until they are sent at
 * once again; and longest after the peer has reported new credits by itself, because then it will again. In each case
 * the delay has an end.
 *
 * <p>
 * A probe that was refused is repeated after the RNR wait. With the longest delay, it waits for credits again.
 */
final class CreditProbe {
    static final long MIN_DELAY_NANOS = 64_000;
    static final long MAX_DELAY_NANOS = 20_000_000;
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
     * An RNR NAK leads to NONE if the delay is the longest. DUE holds for one request: for others it is as NONE.
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
    private final SendWindow sendWindow;
    private ProbeState state = ProbeState.NONE;
    /** The position of the request that may be sent in DUE. */
    private long due;
    /** The PSN of the latest packet that was sent without credits. */
    private int psn;
    /** Whether the peer accepts that packet only if it has a receive request. */
    private boolean isRefusable;
    /** How long a request waits for credits, after everything before it is acknowledged, until it is sent. */
    private long delay;
    /** The position of the latest request that has waited. */
    private long waited = NONE;

    CreditProbe(SoftQp qp, SendWindow sendWindow) {
        this.qp = qp;
        this.sendWindow = sendWindow;
    }

    /** Returns to the initial state: nothing is known about the peer. */
    void clear() {
        state = ProbeState.NONE;
        delay = 0;
        waited = NONE;
    }

    /** How long a request waits for credits, in nanoseconds. While packets are in flight, it is the longest time. */
    long delay() {
        return sendWindow.inFlight() == 0 ? delay : MAX_DELAY_NANOS;
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
        if (waited != sendWindow.next()) {
            waited = sendWindow.next();
            qp.count(Counter.CREDIT_WAIT);
        }
        return true;
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
     * Records that the peer had no receive request for the current request, which is sent again after the RNR wait,
     * unless the delay is the longest. If the peer has stated credits, they end before it.
     */
    void rejected() {
        if (sendWindow.hasCreditLimit()) {
            sendWindow.limitCreditsToNext();
            if (delay < MAX_DELAY_NANOS) {
                becomeDue();
            } else {
                state = ProbeState.NONE;
            }
            delay = Math.clamp(2 * delay, MIN_DELAY_NANOS, MAX_DELAY_NANOS);
        }
    }

    /** Records that new credits have arrived. */
    void creditsArrived() {
        if (state == ProbeState.DUE) {
            state = ProbeState.NONE;
        }
    }

    /** Records that the peer has reported receive requests that it has posted. */
    void creditsReported() {
        creditsArrived();
        delay = MAX_DELAY_NANOS;
    }
}
