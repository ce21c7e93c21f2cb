package io.jverbs.soft.transport;

/**
 * The retransmission timer of a connection: one alarm at a time, which when it sounds too early, because there was progress, is
 * set again. Guarded by the requester's lock.
 */
final class FlightTimer {
    private static final int MOST_DOUBLINGS = 2;
    /** As many packets of 4 KiB as a socket's buffer has room for. */
    private static final int MOST_BURSTS = 8;

    private final SoftQp qp;
    private final Timers timers;
    private final Runnable over;
    private Timers.Alarm alarm;
    /** Of the alarm that counts: another one may be sounding while it is given up. */
    private int number;
    private long soundsAt;
    private boolean running;
    /** What it waits for is an answer, which may have come. */
    private boolean forAnswer;
    private long duration;
    private long deadline;

    /** @param over called with the requester's lock held when time is over */
    FlightTimer(SoftQp qp, Runnable over) {
        this.qp = qp;
        this.timers = qp.around.timers();
        this.over = over;
    }

    /**
     * Starts it for an ACK timeout unless it runs.
     *
     * @param code of the timeout, 0 for none
     * @param silences how often nothing has come: a peer that is only busy gets up to four times as long, as it may
     */
    void ensure(int code, int silences) {
        if (!running && code != 0) {
            start(Timers.Codes.ackNanos(code) << Math.min(silences, MOST_DOUBLINGS));
            forAnswer = true;
        }
    }

    /** Starts it anew for a time, whatever comes. */
    void start(long nanos) {
        running = true;
        forAnswer = false;
        duration = nanos;
        deadline = timers.nanoTime() + nanos;
        if (alarm != null && soundsAt - deadline > 0) {
            cancel();
        }
        if (alarm == null) {
            set(nanos);
        }
    }

    private void set(long nanos) {
        soundsAt = timers.nanoTime() + nanos;
        int present = ++number;
        alarm = timers.set(nanos, () -> sound(present));
    }

    private void cancel() {
        number++;
        alarm.cancel();
        alarm = null;
    }

    /** Counts from now on again. */
    void progress() {
        if (running) {
            deadline = timers.nanoTime() + duration;
        }
    }

    void stop() {
        running = false;
    }

    /** Stops it for long: nothing refers to the queue pair any more. */
    void release() {
        running = false;
        if (alarm != null) {
            cancel();
        }
    }

    /** Where processors are short, the answer may have lain in the socket while time ran out: then that was no silence. */
    private void takeWhatHasCome(int which) {
        Wire wire = qp.around.wire();
        boolean more = true;
        for (int bursts = 0; more && bursts < MOST_BURSTS && isInVain(which); bursts++) {
            more = wire.catchUp();
        }
    }

    private boolean isInVain(int which) {
        qp.requester.acquire();
        try {
            return which == number && running && forAnswer && deadline - timers.nanoTime() <= 0;
        } finally {
            qp.requester.release();
        }
    }

    private void sound(int which) {
        takeWhatHasCome(which);
        qp.requester.acquire();
        try {
            if (which == number) {
                alarm = null;
            }
            if (which == number && running) {
                long left = deadline - timers.nanoTime();
                if (left > 0) {
                    set(left);
                } else {
                    running = false;
                    over.run();
                }
            }
        } finally {
            qp.requester.release();
        }
        qp.agenda().run();
    }
}
