package io.jverbs.samples;

import java.io.Console;
import java.io.PrintWriter;

/** Prints lines, and on a terminal a line of progress below them that goes away again. For one thread. */
public final class Screen {
    private final PrintWriter out;
    private final PrintWriter progress;
    private final boolean terminal;
    private int shown;

    /**
     * Makes a screen.
     *
     * @param out where lines go
     * @param progress where the line of progress goes
     * @param terminal whether both are seen by people, on a terminal; without, no progress is shown
     */
    public Screen(PrintWriter out, PrintWriter progress, boolean terminal) {
        this.out = out;
        this.progress = progress;
        this.terminal = terminal;
    }

    /** {@return whether this program prints on a terminal} */
    public static boolean isTerminal() {
        Console console = System.console();
        return console != null && console.isTerminal();
    }

    /** {@return whether progress is shown} */
    public boolean showsProgress() {
        return terminal;
    }

    /**
     * Prints a line that stays.
     *
     * @param line the line, of which blanks at the end do not count
     */
    public void print(String line) {
        clear();
        out.println(line.stripTrailing());
    }

    /**
     * Shows how far things are, in place of what was shown before.
     *
     * @param text a text shorter than a line
     */
    public void progress(String text) {
        if (terminal) {
            clear();
            progress.print(text);
            progress.flush();
            shown = text.length();
        }
    }

    /** Takes the line of progress away. */
    public void clear() {
        if (shown > 0) {
            progress.print("\r" + " ".repeat(shown) + "\r");
            progress.flush();
            shown = 0;
        }
    }
}
