package io.jverbs.soft.transport.rc;

/**
 * Decides when a responder sends an ACK: immediately, or coalesced, one for up to {@link #MAX_COALESCED} messages,
 * while the peers alternate requests.
 *
 * <p>
 * The peers alternate if, many times in a row, a request is sent after each message that is received. Then the next
 * message is expected soon, and an ACK is held back until a later one replaces it. A system call for each ACK would
 * cost both sides more than everything else they do. If a peer waits for a held ACK and sends nothing
 * meanwhile, this one ACK is late; after that, twice as many alternations are required before an ACK is held again.
 *
 * <p>
 * ACKs are held only on a connection that a thread polls. If no thread polls any more, the engine's thread sends the
 * ACK within a few milliseconds. Guarded by the responder's lock.
 */
final class AckCoalescer {
    /** The number of messages that one ACK acknowledges at most. */
    static final int MAX_COALESCED = 4;
    /**
     * The number of alternations in a row that are required before an ACK is held. It doubles, up to the maximum, each
     * time that no request followed an ACK that was held.
     */
    static final int MIN_ALTERNATIONS = 16;
    static final int MAX_ALTERNATIONS = 1 << 12;
    /** How long a held ACK waits for the next message while threads poll: some round trips of a fast network. */
    static final long MAX_HOLD_NANOS = 30_000;

    /**
     * The state of the ACK. The inputs are: a message arrives ({@link #messageArrived}), a request is sent to the peer
     * ({@link #ackWithRequest}), a thread checks a held ACK ({@link #holdLonger}). Sending the ACK or a NAK
     * ({@link #ackSent}) leads to {@code NONE} from every state.
     *
     * <p>
     * A request holds the ACK if a thread polls, enough alternations precede it, and fewer than {@link #MAX_COALESCED}
     * messages are to be acknowledged; otherwise it releases the ACK. A check holds the ACK if the calling thread
     * polls, {@link #MAX_HOLD_NANOS} have not passed, and fewer than {@link #MAX_COALESCED} messages are to be
     * acknowledged; otherwise it releases the ACK.
     *
     * <pre>
     * state          message   request holds  request releases  check holds     check releases
     * NONE           NEW       -              NONE              -               -
     * NEW            NEW       HELD           OFFERED           -               -
     * OFFERED        NEW       -              OFFERED           -               -
     * HELD           HELD_NEW  -              OFFERED           HELD_TIMED      OFFERED
     * HELD_TIMED     HELD_NEW  -              OFFERED           HELD_TIMED      OFFERED
     * HELD_NEW       HELD_NEW  HELD           OFFERED           HELD_NEW_TIMED  NEW
     * HELD_NEW_TIMED HELD_NEW  HELD_TIMED     OFFERED           HELD_NEW_TIMED  NEW
     * </pre>
     */
    private enum AckState {
        /** No ACK is due. */
        NONE(false, false, false),
        /** An ACK is due; no request was sent since the latest message. */
        NEW(false, true, false),
        /** An ACK is due; it could have been sent with a request, if there was room for it. */
        OFFERED(false, false, false),
        /** An ACK is held. */
        HELD(true, false, false),
        /** An ACK is held, and was checked at {@link AckCoalescer#heldSince} for the first time. */
        HELD_TIMED(true, false, true),
        /** An ACK is held; another message has arrived, and no request was sent since. */
        HELD_NEW(true, true, false),
        /** As {@link #HELD_NEW}, and was checked at {@link AckCoalescer#heldSince} for the first time. */
        HELD_NEW_TIMED(true, true, true);

        private final boolean held;
        /** Whether no request was sent since the latest message. */
        private final boolean newMessage;
        private final boolean timed;

        AckState(boolean held, boolean newMessage, boolean timed) {
            this.held = held;
            this.newMessage = newMessage;
            this.timed = timed;
        }
    }

    private AckState state = AckState.NONE;
    /** The number of messages to acknowledge, at most {@link #MAX_COALESCED}. */
    private int due;
    /** The time of the first check of the held ACK since the latest message. */
    private long heldSince;
    /** The number of alternations in a row, at most {@link #requiredAlternations}. */
    private int alternations;
    private int requiredAlternations = MIN_ALTERNATIONS;
    /** A thread has polled since the connection was made. */
    private boolean polled;

    /** Returns to the initial state: no ACK is due, and nothing is known about the peer. */
    void clear() {
        ackSent();
        alternations = 0;
        requiredAlternations = MIN_ALTERNATIONS;
        polled = false;
    }

    /** Whether an ACK is due. */
    boolean isDue() {
        return due != 0;
    }

    /**
     * Records a packet that requests an acknowledgement.
     *
     * @param single whether the packet is a whole message and is no duplicate; otherwise its ACK is not held
     */
    void messageArrived(boolean single) {
        boolean held = state.held;
        if (held && single) {
            // holding the ACK has saved one
            requiredAlternations = MIN_ALTERNATIONS;
        }
        due = single ? Math.min(due + 1, MAX_COALESCED) : MAX_COALESCED;
        state = held ? AckState.HELD_NEW : AckState.NEW;
    }

    /** Records that a request is sent to the peer while an ACK is due; returns whether the ACK may be sent with it. */
    boolean ackWithRequest() {
        boolean first = state.newMessage;
        if (first && polled && due < MAX_COALESCED && alternations >= requiredAlternations) {
            state = state.timed ? AckState.HELD_TIMED : AckState.HELD;
            return false;
        }
        if (first) {
            alternations = Math.min(alternations + 1, requiredAlternations);
        }
        if (due != 0) {
            state = AckState.OFFERED;
        }
        return true;
    }

    /** Records that a thread polls. */
    void polled() {
        polled = true;
    }

    /** Whether an ACK is due and held. */
    boolean isHeld() {
        return state.held;
    }

    /**
     * Checks an ACK that is held; returns whether it stays held.
     *
     * @param polling whether the calling thread polls, and will therefore check again soon
     * @param now the time in nanoseconds
     */
    boolean holdLonger(boolean polling, long now) {
        boolean newMessage = state.newMessage;
        if (due < MAX_COALESCED) {
            heldSince = state.timed ? heldSince : now;
            if (polling && now - heldSince < MAX_HOLD_NANOS) {
                state = newMessage ? AckState.HELD_NEW_TIMED : AckState.HELD_TIMED;
                return true;
            }
            alternations = 0;
            requiredAlternations = Math.min(2 * requiredAlternations, MAX_ALTERNATIONS);
        }
        state = newMessage ? AckState.NEW : AckState.OFFERED;
        return false;
    }

    /** Records that everything due was acknowledged, or refused by a NAK. */
    void ackSent() {
        due = 0;
        state = AckState.NONE;
    }
}
