package io.jverbs.samples.perftest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.samples.Screen;
import io.jverbs.samples.perftest.Round.Kind;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** On a terminal, a round that takes long shows how far it is on standard error; lines that stay take its place. */
class ProgressTest {
    private static final int BETWEEN_LOOKS = 16;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private Screen screen(boolean terminal) {
        return new Screen(new PrintWriter(out, true), new PrintWriter(err, true), terminal);
    }

    /** Notes 50 of 200 completions, so often that a look is due. */
    private static void note(Screen screen, long after) {
        Progress progress = new Progress(screen, "send-lat", 2, 0);
        progress.begin(new Round(64, 100, Kind.LAST));
        long now = System.nanoTime() + after;
        for (int i = 0; i < BETWEEN_LOOKS; i++) {
            progress.at(50, now);
        }
    }

    @Test
    void aRoundThatTakesLongShowsHowFarItIs() {
        Screen screen = screen(true);

        note(screen, TimeUnit.SECONDS.toNanos(1));

        assertEquals("send-lat  64 bytes   25 %", err.toString());
        screen.print("a row");
        assertEquals("a row" + System.lineSeparator(), out.toString());
        assertEquals("send-lat  64 bytes   25 %\r" + " ".repeat(25) + "\r", err.toString());
    }

    /** Of a duration of ten seconds, two are over in the second of two rounds, which has hardly begun. */
    @Test
    void ofADurationItIsTheTimeThatCountsAndNotTheRound() {
        Screen screen = screen(true);
        Progress progress = new Progress(screen, "send-lat", 2, 10);
        progress.begin(new Round(64, 1000, Kind.PART));
        progress.begin(new Round(64, 1000, Kind.PART));
        long now = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
        for (int i = 0; i < BETWEEN_LOOKS; i++) {
            progress.at(2, now);
        }

        assertEquals("send-lat  64 bytes   20 %", err.toString());
    }

    @Test
    void aShortOneShowsNothing() {
        note(screen(true), -TimeUnit.SECONDS.toNanos(1));

        assertEquals("", err.toString());
    }

    @Test
    void noneDoesWhereNobodyLooks() {
        note(screen(false), TimeUnit.SECONDS.toNanos(1));

        assertEquals("", err.toString());
    }
}
