package io.jverbs.samples.tour;

import java.io.PrintWriter;

/** Prints lines, and on a terminal a line of progress below them that goes away again. */
final class Screen {
    private final PrintWriter out;
    private final boolean terminal;
    private int shown;

    Screen(PrintWriter out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    /** Prints a line that stays. */
    void print(String line) {
        clear();
        out.println(line.stripTrailing());
    }

    /** Shows how far things are, in place of what was shown before. */
    void progress(String text) {
        if (terminal) {
            clear();
            out.print(text);
            out.flush();
            shown = text.length();
        }
    }

    private void clear() {
        if (shown > 0) {
            out.print("\r" + " ".repeat(shown) + "\r");
            shown = 0;
        }
    }
}
