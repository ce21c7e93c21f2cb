package io.jverbs.samples.timeline;

import java.time.Instant;

/**
 * An event of a queue pair.
 *
 * @param time the time of the event
 * @param lane the queue pair
 * @param peer the number of the queue pair that it was connected to, 0 if it was not connected
 * @param kind the kind of the event
 * @param text the details
 * @param state the state that the queue pair entered, null if the state did not change
 */
record TimelineEvent(Instant time, Lane lane, int peer, Kind kind, String text, String state) {

    /**
     * The lane of a queue pair in the timeline.
     *
     * @param device the name of the queue pair's device
     * @param number the number of the queue pair
     */
    record Lane(String device, int number) {}

    /** The kinds of events. A lane shows the last of those that share a column. */
    enum Kind {
        STATE('s', "state change"),
        POST_REFUSED('P', "post refused, queue full"),
        RNR_WAIT('W', "RNR wait"),
        NAK('N', "NAK sent or received"),
        RETRANSMISSION('R', "retransmission"),
        ERROR('E', "completion in error"),
        FAILURE('X', "error state entered by the device");

        private final char symbol;
        private final String words;

        Kind(char symbol, String words) {
            this.symbol = symbol;
            this.words = words;
        }

        char symbol() {
            return symbol;
        }

        String words() {
            return words;
        }
    }
}
