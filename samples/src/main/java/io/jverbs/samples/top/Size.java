package io.jverbs.samples.top;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The size of a terminal or a file.
 *
 * @param rows the number of lines
 * @param columns the number of characters in a line
 */
record Size(int rows, int columns) {
    /** The size of a file. */
    static final Size UNLIMITED = new Size(Integer.MAX_VALUE, Integer.MAX_VALUE);
    /** The size of a terminal whose size is unknown. */
    static final Size USUAL = new Size(24, 80);
    private static final Pattern STTY_OUTPUT = Pattern.compile("([1-9][0-9]{0,4}) ([1-9][0-9]{0,4})");

    /** {@return the present size of this program's terminal, from {@code stty size}: shells do not export it} */
    static Size ofTerminal() {
        try {
            Process stty = new ProcessBuilder("stty", "size").redirectInput(new File("/dev/tty"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD).start();
            try (BufferedReader output = stty.inputReader()) {
                return parse(output.readLine());
            }
        } catch (IOException e) {
            // this system has no stty or no /dev/tty
            return USUAL;
        }
    }

    /** {@return the size that {@code stty size} printed; the usual one if the line is not a size} */
    static Size parse(String line) {
        Matcher numbers = STTY_OUTPUT.matcher(line == null ? "" : line);
        return numbers.matches()
                ? new Size(Integer.parseInt(numbers.group(1)), Integer.parseInt(numbers.group(2)))
                : USUAL;
    }
}
