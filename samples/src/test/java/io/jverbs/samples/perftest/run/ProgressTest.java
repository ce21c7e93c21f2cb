package io.jverbs.samples.perftest.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.samples.console.Screen;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** On a terminal, a long round shows its progress on standard error, which the next line replaces. */
class ProgressTest {
    private static final int CALLS_BETWEEN_CHECKS = 16;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private Screen screen(boolean terminal) {
        return new Screen(new PrintWriter(out, true), new PrintWriter(err, true), terminal);
    }

    /** Reports 50 of 200 completions until the progress is checked. */
    private static void report(Screen screen, long after) {
        Progress progress = new Progress(screen, "send-lat", 2);
        progress.begin(Round.warmUp(64, 100));
        long now = System.nanoTime() + after;
        for (int i = 0; i < CALLS_BETWEEN_CHECKS; i++) {
            progress.at(50, now);
        }
    }

    @Test
    void aLongRoundShowsItsProgress() {
        Screen screen = screen(true);

        report(screen, TimeUnit.SECONDS.toNanos(1));

        assertEquals("send-lat  64 bytes   25 %", err.toString());
        screen.print("a row");
        assertEquals("a row" + System.lineSeparator(), out.toString());
        assertEquals("send-lat  64 bytes   25 %\r" + " ".repeat(25) + "\r", err.toString());
    }

    /** Two of ten seconds have passed. */
    @Test
    void theProgressOfATestWithADurationIsThatOfTheTime() {
        Screen screen = screen(true);
        Progress progress = new Progress(screen, "send-lat", 2);
        progress.begin(new Round(64, Round.UNLIMITED, 10, true));
        long now = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
        for (int i = 0; i < CALLS_BETWEEN_CHECKS; i++) {
            progress.at(2, now);
        }

        assertEquals("send-lat  64 bytes   20 %", err.toString());
    }

    @Test
    void aShortRoundShowsNoProgress() {
        report(screen(true), -TimeUnit.SECONDS.toNanos(1));

        assertEquals("", err.toString());
    }

    @Test
    void withoutATerminalNoProgressIsShown() {
        report(screen(false), TimeUnit.SECONDS.toNanos(1));

        assertEquals("", err.toString());
    }
}
