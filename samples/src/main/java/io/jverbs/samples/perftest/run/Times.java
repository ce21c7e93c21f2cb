package io.jverbs.samples.perftest.run;

/** The times of a round in nanoseconds. Those of single messages are recorded only if the report needs them. */
final class Times {
    /**
     * The time of the post of each message, null if not recorded; with lists, set for the first message of a list only.
     */
    final long[] posted;
    /** The time of the completion of each message, null if not recorded; set for signaled messages only. */
    final long[] completed;
    long first;
    long last;
    /** The number of messages that the first poll of a receiver returned: its time starts with them. */
    int untimed;
    /** The number of messages that were transferred in one direction. */
    long messages;

    Times(int posted, int completed) {
        this.posted = posted == 0 ? null : new long[posted];
        this.completed = completed == 0 ? null : new long[completed];
    }

    /** {@return the time of the round} */
    long nanos() {
        return last - first;
    }
}
