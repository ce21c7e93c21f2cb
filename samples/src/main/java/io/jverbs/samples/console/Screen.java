package io.jverbs.samples.console;

import java.io.Console;
import java.io.PrintWriter;

/** Prints lines, and on a terminal a temporary progress line below them. Not thread-safe. */
public final class Screen {
    private final PrintWriter out;
    private final PrintWriter progress;
    private final boolean terminal;
    private int shown;

    /**
     * Creates a screen.
     *
     * @param out the destination of lines
     * @param progress the destination of the progress line
     * @param terminal whether both are a terminal; if not, no progress is shown
     */
    public Screen(PrintWriter out, PrintWriter progress, boolean terminal) {
        this.out = out;
        this.progress = progress;
        this.terminal = terminal;
    }

    /** {@return whether standard input and output of this program are a terminal} */
    public static boolean isTerminal() {
        Console console = System.console();
        return console != null && console.isTerminal();
    }

    /** {@return whether progress is shown} */
    public boolean showsProgress() {
        return terminal;
    }

    /**
     * Prints a line in place of the progress line.
     *
     * @param line the line; trailing blanks are removed
     */
    public void print(String line) {
        clear();
        out.println(line.stripTrailing());
    }

    /**
     * Replaces the progress line.
     *
     * @param text a text shorter than a line of the terminal
     */
    public void progress(String text) {
        if (terminal) {
            clear();
            progress.print(text);
            progress.flush();
            shown = text.length();
        }
    }

    /** Removes the progress line. */
    public void clear() {
        if (shown > 0) {
            progress.print("\r" + " ".repeat(shown) + "\r");
            progress.flush();
            shown = 0;
        }
    }
}
