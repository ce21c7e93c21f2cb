package io.jverbs.soft.management.communication;

import io.jverbs.spi.SystemProperties;
import java.util.concurrent.TimeUnit;

/**
 * The times of the connection manager. They are powers of two, encoded in 5 bits; Linux rounds 4.096 us * 2^x to 2^(x -
 * 8) milliseconds, at least 1, and so does this class. Immutable.
 *
 * @param divisor what all times are divided by; greater than 1 only in tests
 */
public record CmDurations(int divisor) {
    /** The times that Linux uses. */
    public static final CmDurations STANDARD = new CmDurations(1);
    /** The code for the life time of a packet, from which Linux 6.1 derives the timer of a REQ. */
    public static final int PACKET_LIFE_TIME = 18;
    /** The code of the time within which either side of a connection responds. */
    public static final int RESPONSE_TIMEOUT = 20;
    /** The code of the time that an MRA asks for. */
    public static final int SERVICE_TIMEOUT = 24;
    /** How often a message is sent again. */
    public static final int MAX_RETRIES = 15;

    private static final int MILLISECOND = 8;
    private static final int MAX_CODE = 31;
    private static final int MAX_DIVISOR = 1000;

    /**
     * Returns the times that Linux uses, divided by the system property {@link SystemProperties#SOFT_CM_DIVISOR}.
     *
     * @throws IllegalArgumentException if the property is not an integer from 1 to 1000
     */
    public static CmDurations configured() {
        String given = System.getProperty(SystemProperties.SOFT_CM_DIVISOR, "1");
        if (!given.matches("[1-9][0-9]{0,3}") || Integer.parseInt(given) > MAX_DIVISOR) {
            throw new IllegalArgumentException(SystemProperties.refusal(SystemProperties.SOFT_CM_DIVISOR, given,
                    "integers from 1 to " + MAX_DIVISOR));
        }
        return new CmDurations(Integer.parseInt(given));
    }

    /** Returns the time for a code, 0 to 31. */
    public long nanos(int code) {
        return TimeUnit.MILLISECONDS.toNanos(1L << Math.max(code - MILLISECOND, 0)) / divisor;
    }

    /**
     * Returns the code of the ACK timeout for a device's delay and the life time of a packet, both as codes, as Linux
     * approximates it: two life times and one delay.
     */
    public static int ackTimeout(int ackDelay, int lifeTime) {
        int timeout = lifeTime + 1;
        if (timeout >= ackDelay) {
            timeout += ackDelay >= timeout - 1 ? 1 : 0;
        } else {
            timeout = ackDelay + (timeout >= ackDelay - 1 ? 1 : 0);
        }
        return Math.min(timeout, MAX_CODE);
    }

    /** Returns how long the sender of a REQ waits for the response. */
    public long requestTimeout(int packetLifeTime, int responseTimeout) {
        return 2 * nanos(packetLifeTime) + nanos(responseTimeout);
    }
}
