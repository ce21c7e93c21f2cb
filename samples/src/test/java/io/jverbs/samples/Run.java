package io.jverbs.samples;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/**
 * The result of a run of a sample.
 *
 * @param status the exit status
 * @param out the standard output
 * @param err the standard error
 */
public record Run(int status, String out, String err) {

    /** Runs a sample in this JVM. */
    public static Run of(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = Samples.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
        return new Run(status, out.toString(), err.toString());
    }

    /**
     * Runs a sample in this JVM and writes its output and its errors while it runs.
     *
     * @return the exit status
     */
    public static int to(PrintWriter output, String... args) {
        return Samples.run(output, output, args);
    }

    /** Runs a sample in this JVM with a device that the system property selects. */
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

    /** {@return the lines of standard output} */
    public List<String> lines() {
        return out.lines().toList();
    }

    /** {@return the lines of standard error} */
    public List<String> errors() {
        return err.lines().toList();
    }
}
