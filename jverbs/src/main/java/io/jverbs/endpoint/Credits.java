package io.jverbs.endpoint;

/**
 * The credits of both directions of a connection. A message takes a credit of its sender, which the receiver returns
 * when it has posted the receive again. So a message always finds a receive, and there is never an RNR NAK.
 *
 * <p>
 * Messages of the program and control messages have credits of their own: each side posts {@link #CONTROL} receives
 * more than it has buffers for the program. Every message returns the credits of both kinds. A side that has at least
 * half of the credits of the program's messages to return, or any if the peer has none left, sends a CREDIT message.
 *
 * <p>
 * The control credits suffice, so that two sides never wait for each other. Let c be the first of this side's CREDIT
 * messages for which the peer has not returned the control credit. No message that the peer has sent after it had
 * processed c has arrived, since it would return that credit. So the peer has not used what c returned. Then the
 * credits that later CREDIT messages return belong to messages sent before, of which there are at most as many as
 * buffers; each returns at least half of them, because the peer has credits left. That makes at most three CREDIT
 * messages, and one control credit is left for CLOSE.
 *
 * <p>
 * The lock of the connection guards this object.
 */
final class Credits {
    /** The number of receives for control messages. */
    static final int CONTROL = 4;

    private final int own;
    private final int threshold;
    private int peer;
    private int available;
    private int controlAvailable;
    private int toReturn;
    private int controlToReturn;
    /** How many messages the peer can still send, by what it was told. */
    private int peerLeft;

    /** @param own the number of receives for messages of the program on this side */
    Credits(int own) {
        this.own = own;
        this.threshold = (own + 1) / 2;
        this.peerLeft = own;
    }

    /** Begins with the credits for all buffers of the peer. */
    void established(int peerBuffers) {
        peer = peerBuffers;
        available = peerBuffers;
        controlAvailable = CONTROL;
    }

    boolean available() {
        return available > 0;
    }

    boolean controlAvailable() {
        return controlAvailable > 0;
    }

    /** Takes the credit for a message. */
    void take(boolean control) {
        if (control) {
            controlAvailable--;
        } else {
            available--;
        }
    }

    /** Adds what the peer has returned; returns false if this is more than it has got. */
    boolean returned(int count, int control) {
        if (count > peer - available || control > CONTROL - controlAvailable) {
            return false;
        }
        available += count;
        controlAvailable += control;
        return true;
    }

    /** Notes the arrival of a message of the program; returns false if the peer had no credit for it. */
    boolean arrived() {
        if (peerLeft == 0) {
            return false;
        }
        peerLeft--;
        return true;
    }

    /** Notes that a receive was posted again. */
    void posted(boolean control) {
        if (control) {
            controlToReturn++;
        } else {
            toReturn++;
        }
    }

    /** Returns whether a CREDIT message is necessary. */
    boolean mustReturn() {
        return toReturn >= threshold || peerLeft == 0 && toReturn > 0;
    }

    int toReturn() {
        return toReturn;
    }

    int controlToReturn() {
        return controlToReturn;
    }

    /** Notes that a message with all credits to return is sent. */
    void sent() {
        peerLeft += toReturn;
        toReturn = 0;
        controlToReturn = 0;
    }

    @Override
    public String toString() {
        return available + " of " + peer + " credits, " + toReturn + " of " + own + " to return";
    }
}
