package io.jverbs.samples.timeline;

import java.time.Instant;

/**
 * Something that happened to a queue pair.
 *
 * @param time when
 * @param lane to which queue pair
 * @param peer the number of the queue pair that it was connected to, 0 if it was not
 * @param kind what
 * @param text what exactly
 * @param state the state that the queue pair has from then on, null if that is as before
 */
record Happening(Instant time, Lane lane, int peer, Kind kind, String text, String state) {

    /**
     * A queue pair.
     *
     * @param device the name of its device
     * @param number its number
     */
    record Lane(String device, int number) {}

    /** Kinds of happenings, the more telling the later. */
    enum Kind {
        STATE('s', "state"), STALL('P', "post refused, the queue is full"), WAIT('W',
                "waits, its peer has no receive"), NAK('N', "refusal sent or received"), AGAIN('R',
                        "sends again"), ERROR('E', "completion in error"), FAILURE('X', "went to an error by itself");

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
