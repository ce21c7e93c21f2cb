package io.jverbs.samples.perftest;

/**
 * What the rounds between two rows of the table took together.
 *
 * @param size the length of a message in bytes
 * @param iterations how many messages each sender sent
 * @param timed how many of them the time is of
 * @param nanos the time
 */
record Tally(int size, long iterations, long timed, long nanos) {
    /** That of one round. */
    static Tally of(Round round, Times times) {
        return new Tally(round.size(), round.iterations(), round.iterations() - times.untimed, times.nanos());
    }

    /** {@return the sum of both} */
    Tally plus(Tally other) {
        return new Tally(size, iterations + other.iterations, timed + other.timed, nanos + other.nanos);
    }
}
