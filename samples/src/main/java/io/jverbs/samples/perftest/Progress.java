package io.jverbs.samples.perftest;

import io.jverbs.samples.Screen;
import java.util.Locale;

/** Shows now and then how far a round is, if it takes long and somebody looks. For one thread. */
final class Progress {
    private static final int BETWEEN_LOOKS = 16;
    private static final long BETWEEN_LINES = 500_000_000;
    private static final double PERCENT = 100;

    private final Screen screen;
    private final String program;
    private final int directions;
    private int size;
    private long expected;
    private int left;
    private long due;

    /**
     * @param screen where it is shown
     * @param program the name of the program
     * @param directions how many completions one iteration has on this side
     */
    Progress(Screen screen, String program, int directions) {
        this.screen = screen;
        this.program = program;
        this.directions = directions;
    }

    void begin(int bytes, int iterations) {
        size = bytes;
        expected = (long) iterations * directions;
        due = System.nanoTime() + BETWEEN_LINES;
        left = screen.showsProgress() ? BETWEEN_LOOKS : 0;
    }

    /** Notes how much is done. */
    void at(long done, long now) {
        if (left > 0 && --left == 0) {
            left = BETWEEN_LOOKS;
            if (now - due > 0) {
                due = now + BETWEEN_LINES;
                screen.progress(String.format(Locale.ROOT, "%s  %d bytes  %3.0f %%", program, size,
                        PERCENT * done / expected));
            }
        }
    }
}
