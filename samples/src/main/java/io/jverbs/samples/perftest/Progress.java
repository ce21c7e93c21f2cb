package io.jverbs.samples.perftest;

import io.jverbs.samples.Screen;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Shows now and then how far a round is, if it takes long and somebody looks. For one thread. */
final class Progress {
    private static final int BETWEEN_LOOKS = 16;
    private static final long BETWEEN_LINES = 500_000_000;
    private static final double PERCENT = 100;

    private final Screen screen;
    private final String program;
    private final int directions;
    private final long nanos;
    private int size;
    /** Whether the round is one of those that take a given time. */
    private boolean timed;
    private long began;
    private long expected;
    private int left;
    private long due;

    /**
     * @param screen where it is shown
     * @param program the name of the program
     * @param directions how many completions one iteration has on this side
     * @param seconds how long the rounds that count take together, 0 if it is their number that is given
     */
    Progress(Screen screen, String program, int directions, int seconds) {
        this.screen = screen;
        this.program = program;
        this.directions = directions;
        this.nanos = TimeUnit.SECONDS.toNanos(seconds);
    }

    void begin(Round round) {
        size = round.size();
        expected = (long) round.iterations() * directions;
        left = screen.showsProgress() ? BETWEEN_LOOKS : 0;
        boolean first = !timed;
        timed = nanos > 0 && round.kind() != Round.Kind.WARM_UP;
        if (first || !timed) {
            began = System.nanoTime();
            due = began + BETWEEN_LINES;
        }
    }

    /** Notes how much is done. */
    void at(long done, long now) {
        if (left > 0 && --left == 0) {
            left = BETWEEN_LOOKS;
            if (now - due > 0) {
                due = now + BETWEEN_LINES;
                screen.progress(String.format(Locale.ROOT, "%s  %d bytes  %3.0f %%", program, size,
                        PERCENT * (timed ? Math.min(1, (double) (now - began) / nanos) : (double) done / expected)));
            }
        }
    }
}
