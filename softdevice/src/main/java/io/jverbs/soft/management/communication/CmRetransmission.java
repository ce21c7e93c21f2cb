package io.jverbs.soft.management.communication;

import io.jverbs.soft.management.message.ManagementDatagram;
import io.jverbs.soft.protocol.Timers;

/**
 * Sends a message again until a response arrives, at most a number of times. Guarded by the lock of the agent.
 */
final class CmRetransmission {
    private final CmAgent agent;
    private final Runnable exhausted;
    private ManagementDatagram datagram;
    private CmPath path;
    private long intervalNanos;
    private int retriesLeft;
    private Timers.Alarm alarm;

    /** @param exhausted is called with the lock held if no response has arrived after the last send */
    CmRetransmission(CmAgent agent, Runnable exhausted) {
        this.agent = agent;
        this.exhausted = exhausted;
    }

    /** Sends a message now, and again after each interval. Ends the former transmission. */
    void start(ManagementDatagram message, CmPath to, long interval, int retries) {
        stop();
        datagram = message;
        path = to;
        intervalNanos = interval;
        retriesLeft = retries;
        send();
    }

    /** Waits longer before the message is sent again, because the peer asked for it. The retry counter continues. */
    void extend(long interval) {
        if (alarm != null) {
            alarm.cancel();
            intervalNanos = interval;
            set();
        }
    }

    /** Ends the transmission: a response has arrived, or the connection has ended. */
    void stop() {
        if (alarm != null) {
            alarm.cancel();
            alarm = null;
        }
    }

    private void send() {
        agent.send(datagram, path);
        set();
    }

    private void set() {
        Timers.Alarm[] own = new Timers.Alarm[1];
        own[0] = agent.alarm(intervalNanos, () -> expired(own[0]));
        alarm = own[0];
    }

    private void expired(Timers.Alarm which) {
        if (which != alarm) {
            // a response arrived at the same time
            return;
        }
        alarm = null;
        if (retriesLeft == 0) {
            exhausted.run();
        } else {
            retriesLeft--;
            agent.counters().retried(datagram);
            send();
        }
    }
}
