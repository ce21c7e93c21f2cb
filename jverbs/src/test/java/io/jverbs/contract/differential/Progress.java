package io.jverbs.contract.differential;

import java.io.PrintStream;
import java.util.concurrent.TimeUnit;

/** Shows the progress: one line that is rewritten on a terminal, otherwise one line every ten seconds. */
final class Progress {

    private static final long REWRITE = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long REPEAT = TimeUnit.SECONDS.toNanos(10);

    private final PrintStream err;
    private final int total;
    private final boolean terminal = System.console() != null && System.console().isTerminal();
    private final long start = System.nanoTime();
    private long last = start;

    Progress(PrintStream err, int total) {
        this.err = err;
        this.total = total;
    }

    long seconds() {
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
    }

    void at(int done, int differences) {
        long now = System.nanoTime();
        if (now - last < (terminal ? REWRITE : REPEAT)) {
            return;
        }
        last = now;
        String line = done + " of " + total + " sequences, " + differences + " differ, " + seconds() + " s";
        if (terminal) {
            err.print("\r" + line + " ");
            err.flush();
        } else {
            err.println(line);
        }
    }

    void end() {
        if (terminal) {
            err.print("\r\u001B[K");
            err.flush();
        }
    }
}
