package io.jverbs.samples.perftest.run;

/**
 * A round: messages of one size. All rounds use the same queue pairs.
 *
 * @param size the length of a message in bytes
 * @param iterations the number of messages of each sender; {@link #UNLIMITED} if a duration is given
 * @param seconds the duration, 0 if the number of messages is given
 * @param measured whether its result is shown; otherwise it is a warm-up
 */
public record Round(int size, int iterations, int seconds, boolean measured) {
    /** The number of messages that is never reached. */
    public static final int UNLIMITED = Integer.MAX_VALUE;

    /** {@return the round that is measured} */
    public static Round measured(Settings settings, int size) {
        return new Round(size, settings.timed() ? UNLIMITED : settings.iterations(), settings.seconds(), true);
    }

    /** {@return a round whose result is discarded} */
    public static Round warmUp(int size, int iterations) {
        return new Round(size, iterations, 0, false);
    }

    boolean timed() {
        return seconds > 0;
    }
}
