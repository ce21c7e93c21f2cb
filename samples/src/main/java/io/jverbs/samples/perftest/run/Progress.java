package io.jverbs.samples.perftest.run;

import io.jverbs.samples.console.Screen;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Shows the progress of rounds that take longer than half a second, if the output is a terminal. Not thread-safe. */
final class Progress {
    private static final int CALLS_BETWEEN_CHECKS = 16;
    private static final long NANOS_BETWEEN_UPDATES = 500_000_000;
    private static final double PERCENT = 100;

    private final Screen screen;
    private final String program;
    private final int directions;
    private int size;
    /** The duration of the round, 0 if the number of messages is given. */
    private long nanos;
    private long began;
    private long expected;
    /** The number of calls until the next check of the time; 0 if no progress is shown. */
    private int callsLeft;
    private long nextUpdate;

    /**
     * Creates the progress display.
     *
     * @param screen the destination
     * @param program the name of the program
     * @param directions the number of completions of one iteration on this side
     */
    Progress(Screen screen, String program, int directions) {
        this.screen = screen;
        this.program = program;
        this.directions = directions;
    }

    void begin(Round round) {
        size = round.size();
        expected = (long) round.iterations() * directions;
        callsLeft = screen.showsProgress() ? CALLS_BETWEEN_CHECKS : 0;
        nanos = TimeUnit.SECONDS.toNanos(round.seconds());
        began = System.nanoTime();
        nextUpdate = began + NANOS_BETWEEN_UPDATES;
    }

    /** Reports the number of completions so far. */
    void at(long done, long now) {
        if (callsLeft > 0 && --callsLeft == 0) {
            callsLeft = CALLS_BETWEEN_CHECKS;
            if (now - nextUpdate > 0) {
                nextUpdate = now + NANOS_BETWEEN_UPDATES;
                screen.progress(String.format(Locale.ROOT, "%s  %d bytes  %3.0f %%", program, size,
                        PERCENT * (nanos > 0
                                ? Math.min(1, (double) (now - began) / nanos)
                                : (double) done / expected)));
            }
        }
    }
}
