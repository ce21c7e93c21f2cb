package io.jverbs.samples;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/**
 * What a sample printed and how it ended, run within this JVM.
 *
 * @param status the exit status
 * @param out what it printed on standard output
 * @param err what it printed on standard error
 */
public record Run(int status, String out, String err) {

    /** Runs a sample. */
    public static Run of(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = Samples.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
        return new Run(status, out.toString(), err.toString());
    }

    /** Runs a sample with another device chosen by the system property. */
    public static Run on(String selector, String... args) {
        String before = System.setProperty("jverbs.device", selector);
        try {
            return of(args);
        } finally {
            if (before == null) {
                System.clearProperty("jverbs.device");
            } else {
                System.setProperty("jverbs.device", before);
            }
        }
    }

    /** The lines on standard output. */
    public List<String> lines() {
        return out.lines().toList();
    }

    /** The lines on standard error. */
    public List<String> complaints() {
        return err.lines().toList();
    }
}
