package io.jverbs.samples.top;

import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Shows pages one after the other in place (ECMA-48), on the other screen that terminals have, so that what was there before is
 * there again at the end, also when the program is interrupted.
 */
final class Terminal implements AutoCloseable {
    static final String ENTER = "\033[?1049h\033[?25l";
    static final String LEAVE = "\033[?25h\033[?1049l";
    private static final String HOME = "\033[H";
    private static final String CLEAR_LINE = "\033[K";
    private static final String CLEAR_BELOW = "\033[J";

    private final PrintWriter out;
    private final int rows;
    private final int columns;
    private final Thread atExit = Thread.ofPlatform().unstarted(this::restore);
    private boolean restored;

    /**
     * @param out the terminal
     * @param rows how many lines it has
     * @param columns how long they are
     */
    Terminal(PrintWriter out, int rows, int columns) {
        this.out = out;
        this.rows = rows;
        this.columns = columns;
        Runtime.getRuntime().addShutdownHook(atExit);
        print(ENTER);
    }

    private synchronized void print(String text) {
        if (!restored) {
            out.print(text);
            out.flush();
        }
    }

    void show(List<String> lines) {
        print(Page.fit(lines, rows - 1, columns).map(line -> line + CLEAR_LINE + "\r\n")
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
