package io.jverbs.soft.simulation;

import io.jverbs.control.SimulatedPacket.Fate;
import java.util.Random;

/**
 * The way from one device to another: decides what becomes of each packet. A packet is decided on at once when it is sent, so that
 * whatever happens meanwhile changes nothing but a partition. Guarded by the schedule's lock.
 */
final class Direction {
    private static final int MOST_FLIPS = 3;
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final Random random;
    private LinkSettings settings;
    private boolean cut;
    private boolean inBurst;
    /** When the last packet will have left. */
    private long busyUntil;
    /** What of its time is less than a nanosecond, in nanoseconds times bits per second. */
    private long remainder;
    /** When the latest packet arrives that was not held back: those behind it come no earlier. */
    private long latest;
    // what becomes of the packet at hand
    private long arrives;
    private boolean heldBack;
    private int[] flips;

    Direction(long seed, LinkSettings settings) {
        this.random = new Random(seed);
        this.settings = new LinkSettings(settings);
    }

    LinkSettings settings() {
        return settings;
    }

    /** Begins anew, whole and without faults. */
    void perfect() {
        settings = new LinkSettings();
        cut = false;
        inBurst = false;
        forgetTheLine();
    }

    /** Those to come wait for none of those before them. */
    void forgetTheLine() {
        busyUntil = 0;
        latest = 0;
    }

    boolean isCut() {
        return cut;
    }

    void cut(boolean now) {
        cut = now;
        if (now) {
            forgetTheLine();
        }
    }

    /** Whether a packet of so many bytes, IP header included, leaves; {@link Fate#UNDER_WAY} if so. */
    Fate fate(int bytes) {
        if (bytes > settings.mtu) {
            return Fate.TOO_LONG;
        }
        if (inBurst ? happens(settings.burstEnd) : happens(settings.burstBegin)) {
            inBurst = !inBurst;
        }
        if (inBurst && happens(settings.burstLoss)) {
            return Fate.LOST_IN_BURST;
        }
        return happens(settings.loss) ? Fate.LOST : Fate.UNDER_WAY;
    }

    boolean hasCopy() {
        return happens(settings.duplicate);
    }

    /** Decides when a packet arrives, and in what state. */
    void travel(long now, int ipBytes, int packetBytes) {
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
        heldBack = happens(settings.reorder);
        if (heldBack) {
            arrives += settings.reorderNanos;
        } else {
            latest = arrives;
        }
        flips = happens(settings.corrupt) ? flips(packetBytes * Byte.SIZE) : null;
    }

    private int[] flips(int bits) {
        int[] which = new int[1 + random.nextInt(MOST_FLIPS)];
        for (int i = 0; i < which.length; i++) {
            which[i] = random.nextInt(bits);
            for (int j = 0; j < i; j++) {
                if (which[j] == which[i]) {
                    // twice the same is as if it were not
                    i--;
                    break;
                }
            }
        }
        return which;
    }

    private boolean happens(double probability) {
        return probability > 0 && random.nextDouble() < probability;
    }

    long arrives() {
        return arrives;
    }

    boolean isHeldBack() {
        return heldBack;
    }

    /** The bits that are inverted; null if none. */
    int[] flips() {
        return flips;
    }
}
