package io.jverbs.soft.simulation;

import io.jverbs.control.SimulatedPacket.Fate;
import java.util.Random;

/**
 * One direction of a link. It decides the fate and the arrival time of each packet when the packet is sent. A later
 * change of the settings does not affect packets in flight; only a partition does. Guarded by the schedule's lock.
 */
final class LinkDirection {
    private static final int MOST_FLIPS = 3;
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final Random random;
    private LinkSettings settings;
    private boolean cut;
    private boolean inBurst;
    /** The time when the last packet has been transmitted at the bandwidth of the link. */
    private long busyUntil;
    /** The fraction of a nanosecond of that time, in nanoseconds times bits per second. */
    private long remainder;
    /** The latest arrival time of the packets that are not held back. Later packets do not arrive earlier. */
    private long latest;
    // the decisions for the current packet
    private long arrives;
    private boolean heldBack;
    private int[] flips;

    LinkDirection(long seed, LinkSettings settings) {
        this.random = new Random(seed);
        this.settings = new LinkSettings(settings);
    }

    LinkSettings settings() {
        return settings;
    }

    /** Resets the settings to a link without faults, ends a partition, and forgets earlier packets. */
    void perfect() {
        settings = new LinkSettings();
        cut = false;
        inBurst = false;
        clearQueue();
    }

    /** Forgets earlier packets: later packets queue behind none of them. */
    void clearQueue() {
        busyUntil = 0;
        latest = 0;
    }

    boolean isCut() {
        return cut;
    }

    void cut(boolean now) {
        cut = now;
        if (now) {
            clearQueue();
        }
    }

    /** Returns {@link Fate#IN_FLIGHT} if a packet of this length, IP header included, is sent, or why it is lost. */
    Fate fate(int bytes) {
        if (bytes > settings.mtu) {
            return Fate.TOO_LONG;
        }
        if (inBurst ? draw(settings.burstEnd) : draw(settings.burstBegin)) {
            inBurst = !inBurst;
        }
        if (inBurst && draw(settings.burstLoss)) {
            return Fate.LOST_IN_BURST;
        }
        return draw(settings.loss) ? Fate.LOST : Fate.IN_FLIGHT;
    }

    boolean hasCopy() {
        return draw(settings.duplicate);
    }

    /** Decides when a packet arrives, whether it is held back, and which of its bits are inverted. */
    void transmit(long now, int ipBytes, int packetBytes) {
        long leaves = now;
        if (settings.bitsPerSecond != 0) {
            long left = now > busyUntil ? 0 : Math.min(remainder, settings.bitsPerSecond - 1);
            long work = ipBytes * 8L * NANOS_PER_SECOND + left;
            leaves = Math.max(now, busyUntil) + work / settings.bitsPerSecond;
            busyUntil = leaves;
            remainder = work % settings.bitsPerSecond;
        }
        long jitter = settings.jitterNanos == 0 ? 0 : (long) (random.nextDouble() * (settings.jitterNanos + 1));
        arrives = Math.max(leaves + settings.delayNanos + jitter, latest);
        heldBack = draw(settings.reorder);
        if (heldBack) {
            arrives += settings.reorderNanos;
        } else {
            latest = arrives;
        }
        flips = draw(settings.corrupt) ? flips(packetBytes * Byte.SIZE) : null;
    }

    private int[] flips(int bits) {
        int[] which = new int[1 + random.nextInt(MOST_FLIPS)];
        for (int i = 0; i < which.length; i++) {
            which[i] = random.nextInt(bits);
            for (int j = 0; j < i; j++) {
                if (which[j] == which[i]) {
                    // inverting the same bit twice would undo it
                    i--;
                    break;
                }
            }
        }
        return which;
    }

    private boolean draw(double probability) {
        return probability > 0 && random.nextDouble() < probability;
    }

    long arrives() {
        return arrives;
    }

    boolean isHeldBack() {
        return heldBack;
    }

    /** Returns the numbers of the bits that are inverted; null for none. */
    int[] flips() {
        return flips;
    }
}
