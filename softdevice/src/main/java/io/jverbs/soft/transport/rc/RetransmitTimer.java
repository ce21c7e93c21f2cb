package io.jverbs.soft.transport.rc;

import io.jverbs.soft.congestion.RoundTripTime;
import io.jverbs.soft.protocol.DeadlineScan;
import io.jverbs.soft.protocol.Timers;
import io.jverbs.soft.transport.PacketNetwork;
import io.jverbs.soft.transport.SoftQp;

/**
 * The retransmission timer of a reliable connection: measures the ACK timeout and the RNR wait. At most one alarm is
 * set. Progress moves the deadline, not the alarm: an alarm that expires before the deadline is set again for the rest
 * of the time. Guarded by the requester's lock.
 *
 * <p>
 * Once a round-trip time was measured, packets are also sent again before the ACK timeout: after a time that adapts to
 * the {@link RoundTripTime}, and doubles with each expiry until another round trip is measured. It is rounded up to the
 * time of a code of the ACK timeout. The ACK timeout is not restarted by that, so that retries are used up no faster.
 * The {@link DeadlineScan} of the context measures the adaptive time, because it is short: with an alarm for each queue
 * pair, most messages would set one.
 */
final class RetransmitTimer extends DeadlineScan.Member {
    private static final int MAX_DOUBLINGS = 2;
    /** The maximum number of bursts to receive: together, as many packets of 4 KiB as a receive buffer holds. */
    private static final int MAX_BURSTS = 8;
    /** The code of the shortest adaptive time, 8.4 ms: a thread that does not poll acknowledges after milliseconds. */
    static final int MIN_ADAPTIVE_CODE = 11;
    private static final int MAX_CODE = 31;
    /** After this time without messages, the adaptive time is not watched until the next message. */
    private static final long WATCHED_NANOS = 4 * Timers.Codes.ackNanos(MIN_ADAPTIVE_CODE);

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
     * When the adaptive time has passed in ACK_TIMEOUT, the owner is called and the state stays. A CREDIT_WAIT of the
     * same request gets a new deadline only if it is earlier than the present one. Without an ACK timeout,
     * {@link #ensure} leads from CREDIT_WAIT to STOPPED, and otherwise changes nothing. {@link #stopUnlessRepeating} is
     * {@link #stop}, but in ACK_TIMEOUT it changes nothing from the time when the owner was called until there is
     * progress. {@link #stopAckTimeout} is the same, and in the other states it changes nothing.
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
    private final DeadlineScan scan;
    private final Runnable onTimeout;
    private final Runnable onAdaptiveTimeout;
    private final RoundTripTime roundTrip = new RoundTripTime();
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
    /** When packets are sent again because the adaptive time has passed; the deadline if that is not later. */
    private long adaptiveDeadline;
    /** Whether the scan watches the adaptive deadline. */
    private boolean isWatched;
    /** How often the adaptive time has passed since a round trip was measured. */
    private int doublings;
    /** Whether packets are sent again because the adaptive time has passed, and the ACK timeout goes on. */
    private boolean isRepeating;

    /**
     * @param onTimeout called with the requester's lock held when the time is over
     * @param onAdaptiveTimeout called with the requester's lock held when the adaptive time has passed
     */
    RetransmitTimer(SoftQp qp, Runnable onTimeout, Runnable onAdaptiveTimeout) {
        this.qp = qp;
        this.timers = qp.environment().timers();
        this.scan = qp.environment().scan();
        this.onTimeout = onTimeout;
        this.onAdaptiveTimeout = onAdaptiveTimeout;
    }

    /** The measurement of the round-trip time. */
    RoundTripTime roundTrip() {
        return roundTrip;
    }

    /** Records that a packet was written, whose {@link RoundTripTime} is measured if no other is. */
    void sent(int psn, boolean read) {
        if (roundTrip.isIdle()) {
            roundTrip.sent(psn, read, timers.nanoTime());
        }
    }

    /** Records a NAK for a missing packet. */
    void nakReceived() {
        long now = timers.nanoTime();
        roundTrip.nakReceived(now, measured == Measured.ACK_TIMEOUT ? now - (deadline - duration) : 0);
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
        long now = timers.nanoTime();
        deadline = now + nanos;
        isRepeating = false;
        if (alarm != null && expiresAt - deadline > 0) {
            cancel();
        }
        if (alarm == null) {
            set(nanos);
        }
        adapt(now);
    }

    /** Computes the deadline of the adaptive time. */
    private void adapt(long now) {
        long wanted = measured == Measured.ACK_TIMEOUT ? roundTrip.timeout() : RoundTripTime.NONE;
        long adaptive = duration;
        if (wanted != RoundTripTime.NONE) {
            int code = MIN_ADAPTIVE_CODE;
            while (code < MAX_CODE && Timers.Codes.ackNanos(code) < wanted) {
                code++;
            }
            adaptive = Math.min(duration, Timers.Codes.ackNanos(Math.min(code + doublings, MAX_CODE)));
        }
        adaptiveDeadline = deadline - now < adaptive ? deadline : now + adaptive;
        if (!isWatched && isEarly()) {
            scan.add(this);
            isWatched = true;
        }
    }

    /** Whether packets are sent again before the ACK timeout expires. */
    private boolean isEarly() {
        return measured == Measured.ACK_TIMEOUT && adaptiveDeadline != deadline;
    }

    /** Whether the adaptive time need not be watched, because it was not needed for a while. */
    private boolean isIdle(long now) {
        return !isEarly() && now - (deadline - duration) >= WATCHED_NANOS;
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

    /** Restarts the time, because there was progress or packets are sent again. */
    void progress() {
        if (measured != Measured.STOPPED) {
            restart(timers.nanoTime());
        }
    }

    /**
     * Restarts the time, because packets were acknowledged. Returns the round-trip time, or {@link RoundTripTime#NONE}
     * if none was measured.
     */
    long acknowledged(int unacknowledged) {
        long now = timers.nanoTime();
        long sample = roundTrip.acknowledged(unacknowledged, now);
        if (sample != RoundTripTime.NONE) {
            doublings = 0;
        }
        if (measured != Measured.STOPPED) {
            restart(now);
        }
        return sample;
    }

    private void restart(long now) {
        isRepeating = false;
        deadline = now + duration;
        adapt(now);
    }

    void stop() {
        measured = Measured.STOPPED;
    }

    /**
     * Stops the timer, because no packet is in flight. The ACK timeout goes on if packets have to be sent again after
     * the adaptive time: they may wait for room, which does not restart it.
     */
    void stopUnlessRepeating() {
        if (measured != Measured.ACK_TIMEOUT || !isRepeating) {
            measured = Measured.STOPPED;
        }
    }

    /** As {@link #stopUnlessRepeating}, if the timer measures the ACK timeout. */
    void stopAckTimeout() {
        if (measured == Measured.ACK_TIMEOUT) {
            stopUnlessRepeating();
        }
    }

    /**
     * Stops the timer, forgets the round-trip time, and cancels the alarm, so that it does not refer to the queue pair
     * any more.
     */
    void release() {
        measured = Measured.STOPPED;
        roundTrip.clear();
        doublings = 0;
        stopWatching();
        if (alarm != null) {
            cancel();
        }
    }

    private void stopWatching() {
        // also if it is not watched: an Error may have interrupted the call that began to watch
        scan.remove(this);
        isWatched = false;
    }

    /**
     * Receives the packets that are waiting in the receive buffer of the wire. On a loaded machine the response may
     * have arrived there before the deadline; then the timeout does not count.
     *
     * @param which the number of the alarm that has expired, 0 if the adaptive time seems to have passed
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
            long now = timers.nanoTime();
            if (which == 0) {
                return isEarlyTimeout(now);
            }
            return which == number && measured != Measured.STOPPED && measured != Measured.RNR_WAIT
                    && deadline - now <= 0;
        } finally {
            qp.requester().release();
        }
    }

    private boolean isEarlyTimeout(long now) {
        // the alarm will do if the ACK timeout has passed, too
        return isEarly() && adaptiveDeadline - now <= 0 && deadline - now > 0;
    }

    private void expire(int which) {
        try {
            receiveAllPending(which);
        } finally {
            // also after an Error: the alarm does not expire again
            expireLocked(which);
            qp.deferredQueue().run();
        }
    }

    private void expireLocked(int which) {
        qp.requester().acquire();
        try {
            if (which == number && expired() && isWatched) {
                // if an Error has ended the scan, it goes on; another one here changes nothing
                scan.add(this);
            }
        } finally {
            qp.requester().release();
        }
    }

    /** Processes the expiry of the latest alarm; returns whether it was set again. */
    private boolean expired() {
        alarm = null;
        try {
            if (measured == Measured.STOPPED) {
                return false;
            }
            long left = deadline - timers.nanoTime();
            if (left > 0) {
                set(left);
                return true;
            }
            measured = Measured.STOPPED;
            isRepeating = false;
            onTimeout.run();
        } catch (Throwable e) {
            qp.failUnexpectedly(e);
        }
        return false;
    }

    @Override
    protected long nanosLeft(long now) {
        if (isEarly()) {
            return adaptiveDeadline - now;
        }
        return isIdle(now) ? 0 : Long.MAX_VALUE;
    }

    @Override
    protected boolean deadlinePassed() {
        boolean passed = false;
        try {
            receiveAllPending(0);
        } finally {
            passed = deadlinePassedLocked();
            qp.deferredQueue().run();
        }
        return passed;
    }

    /** If this fails before packets are sent again, nothing has changed, and the next scan calls it again. */
    private boolean deadlinePassedLocked() {
        qp.requester().acquire();
        try {
            long now = timers.nanoTime();
            boolean passed = isEarlyTimeout(now);
            if (passed) {
                adaptiveTimePassed(now);
            } else if (isIdle(now)) {
                stopWatching();
            }
            return passed;
        } finally {
            qp.requester().release();
        }
    }

    private void adaptiveTimePassed(long now) {
        try {
            doublings++;
            isRepeating = true;
            adapt(now);
            onAdaptiveTimeout.run();
        } catch (Throwable e) {
            qp.failUnexpectedly(e);
        }
    }
}
