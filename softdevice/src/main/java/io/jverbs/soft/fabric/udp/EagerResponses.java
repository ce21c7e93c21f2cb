package io.jverbs.soft.fabric.udp;

/**
 * Decides whether a poll that receives packets also sends all responses. Usually it leaves them to the next poll, so
 * that the program can process the completion first. If the program does not poll again, the device's thread must send
 * what was left, which costs more and is late. After this has happened, some polls send all responses at once: more of
 * them each time, if it happens soon again. A thread that polls and loses its processor from time to time thus leaves
 * nearly all responses to its next poll. Not thread-safe.
 */
final class EagerResponses {
    /** How many polls send all responses after the thread had to send some. */
    static final int FEWEST_POLLS = 8;
    /** The same if it happened again and again. */
    static final int MOST_POLLS = 1_000;
    /** It happens soon again if it does before this many further polls have left responses to the next. */
    static final int SOON = 64;

    /** How many more polls send all responses. */
    private int eagerPolls;
    /** How many polls have left responses to the next one since; at most {@link #SOON}. */
    private int lazyPolls = SOON;
    private int length = FEWEST_POLLS;

    /** Notes that the device's thread sends responses that a poll has left. */
    void sentByThread() {
        length = lazyPolls < SOON ? Math.min(2 * length, MOST_POLLS) : FEWEST_POLLS;
        eagerPolls = length;
        lazyPolls = 0;
    }

    /** Notes that a poll has received packets. Returns whether it must send all responses. */
    boolean mustSend() {
        if (eagerPolls > 0) {
            eagerPolls--;
            return true;
        }
        lazyPolls = Math.min(lazyPolls + 1, SOON);
        return false;
    }
}
