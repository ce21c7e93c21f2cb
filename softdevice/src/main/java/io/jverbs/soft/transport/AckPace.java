package io.jverbs.soft.transport;

/**
 * When the acknowledgement of what has come leaves: at once, or, in a conversation, with one for a few messages. A conversation is
 * where a request leaves for each message that comes, many times in a row; then the next message probably comes soon, and a call
 * for each acknowledgement would cost both sides more than all else that they do. Who waits for an acknowledgement and sends
 * nothing meanwhile gets it late once, and after that seldom. Only while somebody polls; if nobody does any more, the device's
 * thread sends it within a few milliseconds. Guarded by the responder's lock.
 */
final class AckPace {
    /** So many messages are acknowledged together. */
    static final int MOST = 4;
    /** So many messages in a row are answered before a conversation is believed in; after a disappointment twice as many. */
    static final int LEAST_TRUST = 16;
    static final int MOST_TRUST = 1 << 12;
    /** So long pollers look for the next message: some round trips of a fast network. */
    static final long PATIENCE_NANOS = 30_000;

    private int due;
    /** No request has left since the latest message. */
    private boolean fresh;
    private boolean waits;
    private boolean looked;
    private long firstLook;
    private int answered;
    private int trust = LEAST_TRUST;
    private boolean polled;

    /** Nothing is due, and nothing is known. */
    void clear() {
        sent();
        answered = 0;
        trust = LEAST_TRUST;
        polled = false;
    }

    /** Whether there is something to acknowledge. */
    boolean isDue() {
        return due != 0;
    }

    /**
     * Something has come that is to be acknowledged.
     *
     * @param whole whether it is a message of one packet, which comes for the first time
     */
    void came(boolean whole) {
        if (waits && whole) {
            // it was worth it
            trust = LEAST_TRUST;
        }
        due = whole ? Math.min(due + 1, MOST) : MOST;
        fresh = true;
        looked = false;
    }

    /** A request leaves for the peer while something is due: whether the acknowledgement leaves with it, if it can. */
    boolean goesAlong() {
        boolean first = fresh;
        fresh = false;
        if (first && polled && due < MOST && answered >= trust) {
            waits = true;
            return false;
        }
        if (first) {
            answered = Math.min(answered + 1, trust);
        }
        waits = false;
        return true;
    }

    /** Who polls has come by. */
    void polled() {
        polled = true;
    }

    /** Whether something is due and waits. */
    boolean isWaiting() {
        return waits;
    }

    /**
     * Somebody looks at what waits: whether it does so still.
     *
     * @param patient whether it is one of those who poll, and will look again
     * @param now the time in nanoseconds
     */
    boolean waits(boolean patient, long now) {
        if (due < MOST) {
            firstLook = looked ? firstLook : now;
            looked = true;
            if (patient && now - firstLook < PATIENCE_NANOS) {
                return true;
            }
            answered = 0;
            trust = Math.min(2 * trust, MOST_TRUST);
        }
        waits = false;
        return false;
    }

    /** All that is due is acknowledged, or refused. */
    void sent() {
        due = 0;
        fresh = false;
        waits = false;
        looked = false;
    }
}
