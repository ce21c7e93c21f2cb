package io.jverbs.samples.top;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much there is room for.
 *
 * @param rows lines
 * @param columns characters of a line
 */
record Size(int rows, int columns) {
    /** A file has room for all. */
    static final Size UNLIMITED = new Size(Integer.MAX_VALUE, Integer.MAX_VALUE);
    /** What terminals have that do not tell. */
    static final Size USUAL = new Size(24, 80);
    private static final Pattern ANSWER = Pattern.compile("([1-9][0-9]{0,4}) ([1-9][0-9]{0,4})");

    /** The size of this program's terminal at present: shells know it and do not pass it on, so {@code stty} is asked. */
    static Size ofTerminal() {
        try {
            Process stty = new ProcessBuilder("stty", "size").redirectInput(new File("/dev/tty"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD).start();
            try (BufferedReader answer = stty.inputReader()) {
                return parse(answer.readLine());
            }
        } catch (IOException e) {
            // there is no such program, or no such file, on this system
            return USUAL;
        }
    }

    /** What {@code stty size} prints; what is none is the usual size. */
    static Size parse(String answer) {
        Matcher numbers = ANSWER.matcher(answer == null ? "" : answer);
        return numbers.matches()
                ? new Size(Integer.parseInt(numbers.group(1)), Integer.parseInt(numbers.group(2)))
                : USUAL;
    }
}
