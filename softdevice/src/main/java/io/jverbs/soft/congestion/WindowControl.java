package io.jverbs.soft.congestion;

import io.jverbs.soft.wire.PacketBuffer;

/**
 * The congestion control {@link CongestionControlType#WINDOW}: a window that grows while no packets are lost and halves
 * when packets are lost, or when a CNP arrives, at most once for all packets that were in flight at the same time.
 *
 * <p>
 * The round-trip time has an effect once the path is found congested: by a loss, by a CNP with {@link DcqcnControl},
 * or because packets wait longer in queues than permitted for several windows in a row, so that the queues never run
 * empty. After that, the window shrinks while packets wait longer than permitted, and grows while they do not, in both
 * cases by less the closer the time is to the permitted one. The permitted time is the shorter the larger the window
 * is. So all paths through a queue have the same window when its length does not change, whatever they had before,
 * provided that they agree on the shortest round-trip time; {@link RoundTripRange} sees to that. What jitter adds to
 * the round trips does not count. A window that has grown to its maximum shows that the path is not congested any
 * more.
 *
 * <p>
 * A path within the host has no queues but socket buffers, whose delay is the scheduler's; only a loss shows that it is
 * congested, and only for some windows.
 */
final class WindowControl implements CongestionControl {
    private static final long PACKET = PathWindow.cost(PacketBuffer.MAX_PAYLOAD);
    /** The size below which the window does not shrink, whatever arrives. */
    static final long MIN = PACKET;
    private static final long MIN_WITHIN_HOST = 2 * PACKET;
    /** The time for which packets may always wait in queues if the window is one packet. */
    private static final long LEAST_QUEUE_NANOS = 50_000;
    /** The least part of the permitted time that remains if the window is large. */
    private static final double LEAST_PART = 0.4;
    /** The least permitted time after a loss. */
    private static final long LEAST_AFTER_LOSS_NANOS = 5_000;
    /** So much must be acknowledged beyond what is in flight, and no round trip end, until a measurement ends. */
    private static final long MOST_UNTIMED = 64 * PACKET;
    /** In this many windows, a queue that is only caused by a delay of the receiver runs empty. */
    private static final int STANDING_WINDOWS = 8;
    /** After a loss, a path within the host is congested for this many windows. */
    private static final int CONGESTED_WINDOWS = 64;

    private final boolean withinHost;
    private final long least;
    private final RoundTripRange range;
    private PathCapacity capacity;
    private long size;
    /** The cost of the packets acknowledged since the window last grew or shrank. */
    private long acknowledged;
    private long acknowledgedSinceLoss;
    /** The latest round-trip time, 0 before the first. */
    private long roundTrip;
    /** The time for which packets may wait in queues. */
    private long permitted = LEAST_QUEUE_NANOS;
    private boolean congested;
    /** Whether a round trip was measured since the window shrank; an older one was that of the larger window. */
    private boolean isMeasured;
    /** The shortest round-trip time of the windows counted by {@link #windows}. */
    private long standing = Long.MAX_VALUE;
    private int windows;
    /** The number of windows acknowledged since the latest loss or CNP, on a path within the host. */
    private int windowsSinceLoss;

    /**
     * Makes a window of the maximum size.
     *
     * @param withinHost whether the path does not leave the host
     */
    WindowControl(PathCapacity capacity, boolean withinHost) {
        this.withinHost = withinHost;
        this.capacity = capacity;
        least = withinHost ? MIN_WITHIN_HOST : MIN;
        range = new RoundTripRange(withinHost);
        size = capacity.shared();
        acknowledgedSinceLoss = size;
    }

    @Override
    public long size() {
        return range.isMeasuring() ? MIN : size;
    }

    @Override
    public PathCapacity capacity() {
        return capacity;
    }

    @Override
    public void acknowledged(long cost) {
        acknowledgedSinceLoss += cost;
        if (range.isMeasuring()) {
            if (range.acknowledged(cost, capacity.shared() + MOST_UNTIMED)) {
                measurementEnded();
            }
            return;
        }
        acknowledged += cost;
        if (acknowledged >= size) {
            acknowledged = 0;
            windowAcknowledged();
        }
    }

    /** {@return whether the shortest round trip is measured now} For tests. */
    boolean isMeasuring() {
        return range.isMeasuring();
    }

    /** Forgets what was recorded before and in a measurement of the shortest round trip: the window was another. */
    private void measurementEnded() {
        acknowledged = 0;
        isMeasured = false;
        roundTrip = range.shortest();
    }

    private void windowAcknowledged() {
        permitted = permitted();
        if (withinHost) {
            windowsSinceLoss++;
            congested &= windowsSinceLoss < CONGESTED_WINDOWS;
        } else if (!congested) {
            findStandingQueue();
        }
        long queue = roundTrip - range.shortest() - range.jitter();
        if (!congested || queue <= permitted) {
            grow(queue);
        } else if (isMeasured) {
            shrinkForQueue(queue);
        }
        range.windowAcknowledged(roundTrip, size == least);
    }

    /** For how long packets may wait in queues. Half of the longest time is permitted because of jitter. */
    private long permitted() {
        long most = Math.max(0, range.longest() - range.shortest() - range.jitter());
        if (withinHost) {
            return Math.max(LEAST_QUEUE_NANOS, most >> 1);
        }
        double part = Math.clamp(1 / Math.sqrt((double) size / PACKET), LEAST_PART, 1);
        double time = Math.max(LEAST_QUEUE_NANOS, most >> 1) * part;
        // after a loss, the longest time is that of a full queue
        return (long) (range.hasLost() ? Math.min(time, Math.max(LEAST_AFTER_LOSS_NANOS, most >> 1)) : time);
    }

    /** Grows the window by a packet, or by less if it is small and packets wait for almost the permitted time. */
    private void grow(long queue) {
        double step = PACKET;
        if (congested && !withinHost && roundTrip != 0) {
            step = Math.clamp(size / 4.0, PACKET / 4.0, PACKET)
                    * Math.clamp(2 * (1 - (double) queue / permitted), 0, 1);
        }
        size = Math.min(size + (long) step, capacity.shared());
        congested &= size < capacity.shared();
    }

    /** Shrinks the window by the more the longer packets wait, at most by half. */
    private void shrinkForQueue(long queue) {
        long most = range.longest() - range.shortest() - range.jitter();
        double excess = (double) (queue - permitted) / Math.max(1, most - permitted);
        size = Math.max(least, (long) (size * (1 - Math.clamp(excess, 0, 1) / 2)));
        isMeasured = false;
    }

    private void findStandingQueue() {
        windows++;
        if (windows == STANDING_WINDOWS) {
            congested = standing != Long.MAX_VALUE && standing > range.shortest() + range.jitter() + permitted;
            windows = 0;
            standing = Long.MAX_VALUE;
        }
    }

    @Override
    public void roundTrip(long nanos, long now) {
        if (!range.add(nanos, now, congested, permitted)) {
            if (!range.isMeasuring()) {
                measurementEnded();
            }
            return;
        }
        standing = Math.min(standing, nanos);
        roundTrip = nanos;
        isMeasured = true;
    }

    @Override
    public void lost() {
        if (shrink()) {
            capacity = capacity.afterLoss();
            congested = true;
            range.lost();
        }
    }

    @Override
    public boolean notified(long now) {
        return shrink();
    }

    /** Records that a CNP arrived to which {@link DcqcnControl} reacts: the path is congested. Keeps the size. */
    void marked() {
        congested |= !withinHost;
    }

    /** Halves the window, once for all packets that were in flight at the same time. */
    private boolean shrink() {
        if (acknowledgedSinceLoss < size) {
            return false;
        }
        size = Math.max(least, size / 2);
        acknowledged = 0;
        acknowledgedSinceLoss = 0;
        windowsSinceLoss = 0;
        isMeasured = false;
        return true;
    }
}
