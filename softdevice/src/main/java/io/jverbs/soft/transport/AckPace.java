package io.jverbs.soft.transport;

/**
 * When the acknowledgement of what has come leaves: at once, or, in a conversation, with one for a few messages. A conversation is
 * where a request leaves for each message that comes, many times in a row; then the next message probably comes soon, and a call
 * for each acknowledgement would cost both sides more than all else that they do. Who waits for an acknowledgement and sends
 * nothing meanwhile gets it late once, and after that seldom. Only while somebody polls, as nobody else would look in time. Guarded
 * by the responder's lock.
 */
final class AckPace {
    /** So many messages are acknowledged together. */
    static final int MOST = 4;
    /** So many messages in a row are answered before a conversation is believed in; after a disappointment twice as many. */
    static final int LEAST_TRUST = 16;
    static final int MOST_TRUST = 1 << 12;
    /** So often a poller looks for the next message in vain; a look takes a third of a microsecond, or a whole one. */
    static final int PATIENCE = 64;

    private int due;
    private boolean waits;
    private int looks;
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
        due = whole ? Math.min(due + 1, MOST) : MOST;
        looks = 0;
    }

    /** A request leaves for the peer while something is due: whether the acknowledgement leaves with it. */
    boolean goesAlong() {
        if (polled && due < MOST && answered >= trust) {
            waits = true;
            return false;
        }
        if (due > 1) {
            trust = LEAST_TRUST;
        }
        answered = Math.min(answered + 1, trust);
        waits = false;
        return true;
    }

    /**
     * Somebody looks: whether something is due, and waits still.
     *
     * @param patient whether it is one of those who poll, and will look again
     */
    boolean waits(boolean patient) {
        polled |= patient;
        if (!waits) {
            return false;
        }
        if (due < MOST) {
            if (patient && ++looks < PATIENCE) {
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
        waits = false;
        looks = 0;
    }
}
