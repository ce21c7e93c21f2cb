package io.jverbs.samples.perftest.run;

/**
 * The total of the rounds between two rows of the table.
 *
 * @param size the length of a message in bytes
 * @param iterations the number of messages of each sender
 * @param timed the number of messages that were transferred in the time
 * @param nanos the time in nanoseconds
 */
record Tally(int size, long iterations, long timed, long nanos) {
    /** {@return the total of one round} */
    static Tally of(Round round, Times times) {
        return new Tally(round.size(), round.iterations(), round.iterations() - times.untimed, times.nanos());
    }

    /** {@return the sum of both} */
    Tally plus(Tally other) {
        return new Tally(size, iterations + other.iterations, timed + other.timed, nanos + other.nanos);
    }
}
