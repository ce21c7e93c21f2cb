package io.jverbs.soft.transport.rc;

import io.jverbs.soft.congestion.ReadResponseRate;

/**
 * Limits the READ response bytes that a responder sends until the next request arrives from the peer. A requester does
 * not acknowledge responses, and one READ may request 1 GiB. The requester may have exited, or the request may be
 * forged. Therefore responses are sent immediately up to a limit; the rest is sent at the rate that {@link
 * ReadResponseRate} grants to all connections with the peer's address.
 *
 * <p>
 * The limit adapts to the peer. It doubles, up to the maximum, each time that the limit was reached and a new request
 * arrives. It halves when the peer repeats a READ, because packets were lost.
 *
 * <p>
 * A requester repeats a READ when packets of the response are missing, when a NAK shows that the response was lost, or
 * when its ACK timeout or an adaptive time expires. The first repetition after a new request therefore permits bytes up
 * to the limit immediately. Because anyone who has captured a READ can replay it, the next repetition does so only
 * after the time that these bytes take at the rate, and responses to repetitions in between are sent at the rate. That
 * time is 10 to 21 ms. ACK timeouts may be as short as 8 us, but those of a requester that considers the
 * local_ca_ack_delay of this device are longer than 134 ms. A jverbs requester also repeats a READ after an adaptive
 * time of 8 ms and more, for instance while its own process does not run; then the response is sent twice, at most a
 * limit of bytes, and the limit halves although nothing was lost. Guarded by the responder's lock.
 */
public final class ReadResponseLimit {
    /**
     * The initial and minimum limit in bytes: what a jverbs requester requests at a time, so that its responses never
     * wait.
     */
    public static final int MIN_LIMIT = 5 << 18;
    static final int MAX_LIMIT = 5 << 20;
    /** The number of bytes that may be sent each time that the rate permits more. */
    static final int PORTION = 1 << 16;
    /** The headers of a packet: Ethernet, IP, UDP, BTH, AETH, ICRC. */
    private static final int HEADERS = 64;

    private int limit = MIN_LIMIT;
    /** The number of bytes that may still be sent. */
    private int left = MIN_LIMIT;
    /** Whether packets had to wait since the latest request. */
    private boolean ranOut;
    /** Whether a repetition has permitted a limit of bytes since the latest new request. */
    private boolean repeated;
    /** The time of the latest such repetition, if {@link #repeated}. */
    private long repeatedAt;

    /** Returns to the initial state, in which nothing is known about the peer. */
    void clear() {
        limit = MIN_LIMIT;
        left = limit;
        ranOut = false;
        repeated = false;
    }

    /** Records that a new request arrived. */
    void requestArrived() {
        if (left != limit || repeated) {
            repeated = false;
            if (ranOut) {
                limit = Math.min(2 * limit, MAX_LIMIT);
                ranOut = false;
            }
            left = limit;
        }
    }

    /**
     * Records that a READ was repeated whose response was sent, or is being sent.
     *
     * @param now the time in nanoseconds
     */
    void readRepeated(long now) {
        if (repeated && now - repeatedAt < ReadResponseRate.nanos(limit)) {
            return;
        }
        repeated = true;
        repeatedAt = now;
        limit = Math.max(MIN_LIMIT, limit / 2);
        ranOut = false;
        left = limit;
    }

    /** Permits another portion, because the rate allows it. */
    void granted() {
        left = Math.max(left, 0) + PORTION;
    }

    /** Whether a packet may be sent; if not, records that packets had to wait. */
    boolean admits() {
        ranOut |= left <= 0;
        return left > 0;
    }

    /** Records that a packet was sent. */
    void sent(int payload) {
        left -= payload + HEADERS;
    }
}
