package io.jverbs.soft.congestion;

import io.jverbs.soft.wire.PacketBuffer;

/**
 * The congestion control {@link CongestionControlType#WINDOW}: a window that grows while no packets are lost and halves
 * when packets are lost, or when a CNP arrives, at most once for all packets that were in flight at the same time.
 *
 * <p>
 * The round-trip time has an effect once the path is found congested: by a loss, which shows how long the round trip is
 * when the queues on the path are full, or by a round trip that is much longer than the shortest for several windows in
 * a row, because the queues never run empty. After that, the window shrinks when the round trip is longer than a
 * target, half way between the shortest and the longest one, so that the queues neither run empty nor overflow. Both
 * slowly approach the latest round trip, because the path may change. A window that has grown to its maximum shows that
 * the path is not congested any more. All paths through a queue see the same times, so
 * that none of them starves; therefore each must act on times that its own window does not change. A path within the
 * host has no queues but socket buffers, whose delay is the scheduler's; only a loss shows that it is congested, and
 * only for some windows.
 */
final class WindowControl implements CongestionControl {
    private static final long PACKET = PathWindow.cost(PacketBuffer.MAX_PAYLOAD);
    /** The size below which the window does not shrink, whatever arrives. */
    static final long MIN = 2 * PACKET;
    /** A queue of this time is always permitted. */
    private static final long LEAST_QUEUE_NANOS = 50_000;
    /** In this many windows, a queue that is only caused by a delay of the receiver runs empty. */
    private static final int STANDING_WINDOWS = 8;
    /** After a loss, a path within the host is congested for this many windows. */
    private static final int CONGESTED_WINDOWS = 64;
    private static final int AGING_SHIFT = 8;
    private static final int SHORTEST_AGING_SHIFT = 12;
    /** In place of it at the least size, where a shortest time that is no longer possible would keep the window. */
    private static final int SHORTEST_AGING_SHIFT_AT_MIN = 9;

    private final boolean withinHost;
    private PathCapacity capacity;
    private long size;
    /** The cost of the packets acknowledged since the window last grew or shrank. */
    private long acknowledged;
    private long acknowledgedSinceLoss;
    /** The latest round-trip time, 0 before the first. */
    private long roundTrip;
    /** Whether a round trip was measured since the window shrank; an older one was that of the larger window. */
    private boolean isMeasured;
    private long shortest;
    private long longest;
    private boolean congested;
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
        size = capacity.shared();
        acknowledgedSinceLoss = size;
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public PathCapacity capacity() {
        return capacity;
    }

    @Override
    public void acknowledged(long cost) {
        acknowledgedSinceLoss += cost;
        acknowledged += cost;
        if (acknowledged >= size) {
            acknowledged = 0;
            windowAcknowledged();
        }
    }

    private void windowAcknowledged() {
        if (withinHost) {
            windowsSinceLoss++;
            congested &= windowsSinceLoss < CONGESTED_WINDOWS;
        } else if (!congested) {
            findStandingQueue();
        }
        long target = shortest + Math.max(LEAST_QUEUE_NANOS, longest - shortest >> 1);
        if (!congested || roundTrip <= target) {
            size = Math.min(size + PACKET, capacity.shared());
            congested &= size < capacity.shared();
        } else if (isMeasured) {
            // by the more the longer it is, at most by half
            double excess = (double) (roundTrip - target) / Math.max(1, longest - target);
            size = Math.max(MIN, (long) (size * (1 - Math.clamp(excess, 0, 1) / 2)));
            isMeasured = false;
        }
        longest -= longest - roundTrip >> AGING_SHIFT;
        shortest += roundTrip - shortest >> (size == MIN ? SHORTEST_AGING_SHIFT_AT_MIN : SHORTEST_AGING_SHIFT);
    }

    private void findStandingQueue() {
        windows++;
        if (windows == STANDING_WINDOWS) {
            congested = standing != Long.MAX_VALUE && standing > 2 * shortest + LEAST_QUEUE_NANOS;
            windows = 0;
            standing = Long.MAX_VALUE;
        }
    }

    @Override
    public void roundTrip(long nanos) {
        standing = Math.min(standing, nanos);
        shortest = roundTrip == 0 ? nanos : Math.min(shortest, nanos);
        roundTrip = nanos;
        isMeasured = true;
        longest = Math.max(longest, nanos);
    }

    @Override
    public void lost() {
        if (shrink()) {
            capacity = capacity.afterLoss();
            congested = true;
        }
    }

    @Override
    public boolean notified(long now) {
        return shrink();
    }

    @Override
    public boolean needsTime() {
        return false;
    }

    @Override
    public boolean isPaced() {
        return false;
    }

    @Override
    public long pause(long now) {
        return 0;
    }

    @Override
    public long nanos(long cost) {
        return 0;
    }

    @Override
    public void granted(long cost, long now) {
        // the window limits what is in flight, not when it is sent
    }

    /** Halves the window, once for all packets that were in flight at the same time. */
    private boolean shrink() {
        if (acknowledgedSinceLoss < size) {
            return false;
        }
        size = Math.max(MIN, size / 2);
        acknowledged = 0;
        acknowledgedSinceLoss = 0;
        windowsSinceLoss = 0;
        isMeasured = false;
        return true;
    }
}
