package io.jverbs.soft.congestion;

/**
 * The congestion window of a reliable connection: the number of packets that may be in flight. Below the slow start
 * threshold it doubles in a round trip; above it, it grows by one packet in a round trip. It halves when packets are
 * lost. After a timeout it is one packet, until it turns out that nothing was lost. Its maximum is given by the
 * {@link PathCapacity}. Guarded by the requester's lock.
 */
public final class CongestionWindow {
    private static final int INITIAL = 16;
    private static final int MIN = 2;

    private int size = INITIAL;
    private int max = INITIAL;
    /** The slow start threshold. */
    private int threshold = INITIAL;
    /** The number of packets acknowledged since the window has grown, above the threshold. */
    private int acknowledged;
    /** Whether packets have timed out since others were acknowledged. */
    private boolean timedOut;
    /** The size before the timeouts that may be undone, 0 if there were none, and the threshold. */
    private int sizeBefore;
    private int thresholdBefore;

    public void reset() {
        size = Math.min(INITIAL, max);
        threshold = size;
        acknowledged = 0;
        timedOut = false;
        sizeBefore = 0;
    }

    /** Sets the maximum from the path MTU and the capacity of the path to the peer. */
    public void limit(int mtu, PathCapacity capacity) {
        max = capacity.packets(mtu);
        size = Math.min(size, max);
        threshold = Math.min(threshold, max);
        thresholdBefore = Math.min(thresholdBefore, max);
    }

    public int size() {
        return size;
    }

    /** The maximum size. */
    public int max() {
        return max;
    }

    /** Grows the window after packets were acknowledged. */
    public void acknowledged(int packets) {
        timedOut = false;
        if (size < threshold) {
            size = Math.min(size + packets, threshold);
            return;
        }
        acknowledged += packets;
        if (acknowledged >= size) {
            acknowledged = 0;
            size = Math.min(size + 1, max);
        }
    }

    /** Halves the window after the peer has reported that packets are missing. */
    public void lost() {
        size = Math.max(MIN, size / 2);
        threshold = size;
        acknowledged = 0;
        sizeBefore = 0;
    }

    /**
     * Reduces the window to one packet after a timeout. The threshold is half of the size at the first timeout; until
     * packets are acknowledged, later ones say nothing more about the path (RFC 5681, 3.1).
     */
    public void timedOut() {
        if (sizeBefore == 0) {
            sizeBefore = size;
            thresholdBefore = threshold;
        }
        if (!timedOut) {
            threshold = Math.max(MIN, size / 2);
        }
        timedOut = true;
        size = 1;
        acknowledged = 0;
    }

    /** {@return whether there were timeouts that {@link #undoTimeouts} undoes} */
    public boolean hasTimedOut() {
        return sizeBefore != 0;
    }

    /** Undoes the latest timeouts, because the packets were not lost, but late. */
    public void undoTimeouts() {
        size = Math.clamp(sizeBefore, size, max);
        threshold = Math.max(threshold, thresholdBefore);
        keepTimeouts();
    }

    /** Lets nothing undo the latest timeouts, because the packets that were in flight then are acknowledged. */
    public void keepTimeouts() {
        sizeBefore = 0;
    }
}
