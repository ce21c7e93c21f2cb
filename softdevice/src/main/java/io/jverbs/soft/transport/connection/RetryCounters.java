package io.jverbs.soft.transport.connection;

import io.jverbs.soft.transport.QpSettings;

/**
 * The retry counters of a reliable connection's requester: how many transport retries and RNR retries are left until a
 * request fails. Progress restores them to retry_cnt and rnr_retry. Guarded by the requester's lock.
 */
public final class RetryCounters {
    private static final int UNLIMITED_RNR = 7;

    private final QpSettings settings;
    private int retriesLeft;
    private int rnrLeft;
    /** The number of ACK timeouts since the last progress. */
    private int timeouts;

    public RetryCounters(QpSettings settings) {
        this.settings = settings;
    }

    /** Restores the counters, because there was progress. */
    public void restore() {
        retriesLeft = settings.retryCount;
        rnrLeft = settings.rnrRetry;
        timeouts = 0;
    }

    /** Uses up a transport retry; returns false if none is left. */
    public boolean useRetry() {
        if (retriesLeft == 0) {
            return false;
        }
        retriesLeft--;
        return true;
    }

    /** Uses up an RNR retry; returns false if none is left. */
    public boolean useRnrRetry() {
        if (rnrLeft == 0) {
            return false;
        }
        if (rnrLeft != UNLIMITED_RNR) {
            rnrLeft--;
        }
        return true;
    }

    /** Records that the ACK timeout has expired. */
    public void timedOut() {
        timeouts++;
    }

    public int retriesLeft() {
        return retriesLeft;
    }

    public int rnrLeft() {
        return rnrLeft;
    }

    /** The number of ACK timeouts since the last progress. */
    public int timeouts() {
        return timeouts;
    }
}
