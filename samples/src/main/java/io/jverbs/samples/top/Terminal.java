package io.jverbs.samples.top;

import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Shows one page at a time on the alternate screen of a terminal, with ECMA-48 and xterm control sequences.
 * {@link #close}, or a shutdown hook if the program is interrupted, restores the previous screen. Thread-safe: the
 * monitor of this object guards the output.
 */
final class Terminal implements AutoCloseable {
    /** Enables the alternate screen, hides the cursor, and disables line wrap in case the terminal becomes narrower. */
    static final String ENTER = "\033[?1049h\033[?25l\033[?7l";
    static final String LEAVE = "\033[?7h\033[?25h\033[?1049l";
    private static final String HOME = "\033[H";
    private static final String CLEAR_LINE = "\033[K";
    private static final String CLEAR_BELOW = "\033[J";

    private final PrintWriter out;
    private final Thread atExit = Thread.ofPlatform().unstarted(this::restore);
    private boolean restored;

    /**
     * Enters the alternate screen.
     *
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

    /** Shows a page. It must be one line shorter than the terminal, as the cursor is below the last line. */
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
            // the JVM is shutting down: the hook has run, or runs now
        }
    }
}
