package io.jverbs.samples.top;

import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Shows pages one after the other in place (ECMA-48), on the other screen that terminals have, so that what was there before is
 * there again at the end, also when the program is interrupted.
 */
final class Terminal implements AutoCloseable {
    /** The other screen, no cursor, and lines that end where the screen does: it may have become narrower. */
    static final String ENTER = "\033[?1049h\033[?25l\033[?7l";
    static final String LEAVE = "\033[?7h\033[?25h\033[?1049l";
    private static final String HOME = "\033[H";
    private static final String CLEAR_LINE = "\033[K";
    private static final String CLEAR_BELOW = "\033[J";

    private final PrintWriter out;
    private final Thread atExit = Thread.ofPlatform().unstarted(this::restore);
    private boolean restored;

    /**
     * @param out the terminal
     */
    Terminal(PrintWriter out) {
        this.out = out;
        Runtime.getRuntime().addShutdownHook(atExit);
        print(ENTER);
    }

    private synchronized void print(String text) {
        if (!restored) {
            out.print(text);
            out.flush();
        }
    }

    /** Shows lines, one less than there is room for: the cursor is behind them. */
    void show(List<String> lines) {
        print(lines.stream().map(line -> line + CLEAR_LINE + "\r\n")
                .collect(Collectors.joining("", HOME, CLEAR_BELOW)));
    }

    private synchronized void restore() {
        print(LEAVE);
        restored = true;
    }

    @Override
    public void close() {
        restore();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // the program is interrupted, and this has run
        }
    }
}
