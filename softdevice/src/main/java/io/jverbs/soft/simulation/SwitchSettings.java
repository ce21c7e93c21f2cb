package io.jverbs.soft.simulation;

/**
 * The settings of the switch of a network, which has a queue for the link to each device. A setter throws
 * {@link IllegalArgumentException} with the value and the allowed range for an illegal value. Not thread-safe.
 */
final class SwitchSettings {
    static final int LEAST_BUFFER = 1_024;
    static final int MOST_BUFFER = 1 << 28;

    /** The bandwidth of the link to each device; 0 if there is no switch. */
    long bitsPerSecond;
    /** The size of each queue. */
    int bufferBytes;
    /** The length of a queue above which packets may be marked. */
    int markFrom = Integer.MAX_VALUE;
    /** The length of a queue from which each packet is marked. */
    int markAlways = Integer.MAX_VALUE;
    /** The probability that a packet is marked just below that length. */
    double markProbability = 1;

    boolean isPresent() {
        return bitsPerSecond != 0;
    }

    void queue(long bits, int bytes) {
        if (bits < LinkSettings.LEAST_BANDWIDTH || bits > LinkSettings.MOST_BANDWIDTH) {
            throw new IllegalArgumentException("bandwidth " + bits + " bits per second is not from "
                    + LinkSettings.LEAST_BANDWIDTH + " to " + LinkSettings.MOST_BANDWIDTH);
        }
        if (bytes < LEAST_BUFFER || bytes > MOST_BUFFER) {
            throw new IllegalArgumentException(
                    "buffer " + bytes + " is not from " + LEAST_BUFFER + " to " + MOST_BUFFER + " bytes");
        }
        bitsPerSecond = bits;
        bufferBytes = bytes;
    }

    void marking(int from, int always, double probability) {
        if (from < 0 || always < from || !(probability >= 0 && probability <= 1)) {
            throw new IllegalArgumentException("not two lengths in bytes of which the second is not less, and a"
                    + " probability from 0 to 1");
        }
        markFrom = from;
        markAlways = always;
        markProbability = probability;
    }
}
