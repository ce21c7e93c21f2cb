package io.jverbs.samples.perftest;

/** When the messages of a round were posted and complete, in nanoseconds; kept only where something is made of each. */
final class Times {
    /** When message i was posted, null if nobody asks. With lists, only that of the first of each is set. */
    final long[] posted;
    /** When message i was complete, null if nobody asks; not set where it was not signaled. */
    final long[] completed;
    long first;
    long last;
    /** How many messages had come when the time began, which is what happens where it begins with the first that come. */
    int untimed;

    Times(int posted, int completed) {
        this.posted = posted == 0 ? null : new long[posted];
        this.completed = completed == 0 ? null : new long[completed];
    }

    /** {@return how long all of it took} */
    long nanos() {
        return last - first;
    }
}
