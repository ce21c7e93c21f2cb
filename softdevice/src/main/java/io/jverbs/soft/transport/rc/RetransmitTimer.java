package io.jverbs.soft.transport.rc;

import io.jverbs.soft.protocol.Timers;
import io.jverbs.soft.transport.PacketNetwork;
import io.jverbs.soft.transport.SoftQp;

/**
 * The retransmission timer of a reliable connection: measures the ACK timeout and the RNR wait. At most one alarm is
 * set. Progress moves the deadline, not the alarm: an alarm that expires before the deadline is set again for the rest
 * of the time. Guarded by the requester's lock.
 */
final class RetransmitTimer {
    private static final int MAX_DOUBLINGS = 2;
    /** The maximum number of bursts to receive: together, as many packets of 4 KiB as a receive buffer holds. */
    private static final int MAX_BURSTS = 8;

    /**
     * What the timer measures. The alarm is no part of the state: it may be set in each state, and is ignored in
     * STOPPED.
     * <pre>
     * state        ensure       startRnrWait  ensureCreditWait  progress      stop, release  the deadline passes
     * STOPPED      ACK_TIMEOUT  RNR_WAIT      CREDIT_WAIT       -             -              -
     * ACK_TIMEOUT  -            RNR_WAIT      CREDIT_WAIT       new deadline  STOPPED        STOPPED, owner called
     * RNR_WAIT     -            RNR_WAIT      CREDIT_WAIT       new deadline  STOPPED        STOPPED, owner called
     * CREDIT_WAIT  ACK_TIMEOUT  RNR_WAIT      new deadline      new deadline  STOPPED        STOPPED, owner called
     * </pre>
     * A CREDIT_WAIT of the same request gets a new deadline only if it is earlier than the present one. Without an ACK
     * timeout, {@link #ensure} leads from CREDIT_WAIT to STOPPED, and otherwise changes nothing. In ACK_TIMEOUT,
     * {@link #stopAckTimeout} is {@link #stop}; in the other states it changes nothing.
     */
    private enum Measured {
        /** Nothing: the timer does not run. */
        STOPPED,
        /** The ACK timeout. A response that ends it may have arrived, and may not be processed yet. */
        ACK_TIMEOUT,
        /** The time after an RNR NAK, which no response ends early. */
        RNR_WAIT,
        /** The time until a request is sent without credits, since it began to wait or since the last progress. */
        CREDIT_WAIT
    }

    private final SoftQp qp;
    private final Timers timers;
    private final Runnable onTimeout;
    private Timers.Alarm alarm;
    /** The number of the latest alarm. An alarm that was cancelled may still expire; its number differs. */
    private int number;
    /** The time at which the alarm expires. */
    private long expiresAt;
    private Measured measured = Measured.STOPPED;
    /** The position of the request that waits in CREDIT_WAIT. */
    private long waiting;
    private long duration;
    private long deadline;

    /** @param onTimeout called with the requester's lock held when the time is over */
    RetransmitTimer(SoftQp qp, Runnable onTimeout) {
        this.qp = qp;
        this.timers = qp.environment().timers();
        this.onTimeout = onTimeout;
    }

    /**
     * Starts the timer for the ACK timeout, unless it runs.
     *
     * @param code the code of the timeout, 0 for none
     * @param timeouts the number of timeouts since the last progress. The time doubles with each of the first two,
     *        because the peer may only be busy; the specification permits up to four times the timeout
     */
    void ensure(int code, int timeouts) {
        if (measured == Measured.CREDIT_WAIT) {
            measured = Measured.STOPPED;
        }
        if (measured == Measured.STOPPED && code != 0) {
            start(Measured.ACK_TIMEOUT, Timers.Codes.ackNanos(code) << Math.min(timeouts, MAX_DOUBLINGS));
        }
    }

    /** Starts the timer anew for an RNR wait. */
    void startRnrWait(long nanos) {
        start(Measured.RNR_WAIT, nanos);
    }

    /**
     * Starts the timer for the wait for credits, unless it measures one of the same request that ends earlier.
     *
     * @param position the position of the request that waits
     */
    void ensureCreditWait(long position, long nanos) {
        if (measured != Measured.CREDIT_WAIT || waiting != position || timers.nanoTime() + nanos - deadline < 0) {
            waiting = position;
            start(Measured.CREDIT_WAIT, nanos);
        }
    }

    private void start(Measured what, long nanos) {
        measured = what;
        duration = nanos;
        deadline = timers.nanoTime() + nanos;
        if (alarm != null && expiresAt - deadline > 0) {
            cancel();
        }
        if (alarm == null) {
            set(nanos);
        }
    }

    private void set(long nanos) {
        expiresAt = timers.nanoTime() + nanos;
        int present = ++number;
        alarm = timers.set(nanos, () -> expire(present));
    }

    private void cancel() {
        number++;
        alarm.cancel();
        alarm = null;
    }

    /** Restarts the time, because there was progress. */
    void progress() {
        if (measured != Measured.STOPPED) {
            deadline = timers.nanoTime() + duration;
        }
    }

    void stop() {
        measured = Measured.STOPPED;
    }

    /** Stops the timer if it measures the ACK timeout. */
    void stopAckTimeout() {
        if (measured == Measured.ACK_TIMEOUT) {
            measured = Measured.STOPPED;
        }
    }

    /** Stops the timer and cancels its alarm, so that the alarm does not refer to the queue pair any more. */
    void release() {
        measured = Measured.STOPPED;
        if (alarm != null) {
            cancel();
        }
    }

    /**
     * Receives the packets that are waiting in the receive buffer of the wire. On a loaded machine the response may
     * have arrived there before the deadline; then the timeout does not count.
     */
    private void receiveAllPending(int which) {
        PacketNetwork wire = qp.environment().wire();
        boolean more = true;
        for (int bursts = 0; more && bursts < MAX_BURSTS && isTimeout(which); bursts++) {
            more = wire.receivePending(true);
        }
    }

    private boolean isTimeout(int which) {
        qp.requester().acquire();
        try {
            return which == number && measured != Measured.STOPPED && measured != Measured.RNR_WAIT
                    && deadline - timers.nanoTime() <= 0;
        } finally {
            qp.requester().release();
        }
    }

    private void expire(int which) {
        receiveAllPending(which);
        qp.requester().acquire();
        try {
            if (which == number) {
                alarm = null;
            }
            if (which == number && measured != Measured.STOPPED) {
                long left = deadline - timers.nanoTime();
                if (left > 0) {
                    set(left);
                } else {
                    measured = Measured.STOPPED;
                    onTimeout.run();
                }
            }
        } catch (Throwable e) {
            qp.failUnexpectedly(e);
        } finally {
            qp.requester().release();
        }
        qp.deferredQueue().run();
    }
}
