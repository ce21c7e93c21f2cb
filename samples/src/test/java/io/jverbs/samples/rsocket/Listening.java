package io.jverbs.samples.rsocket;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.samples.Run;
import java.util.concurrent.TimeUnit;

/** Clients whose server may not listen yet. */
final class Listening {
    private Listening() {}

    /** Returns the address of the software device. */
    static String address() {
        try (RdmaContext context = Verbs.open()) {
            return context.preferredGid(1).gid().toInetAddress().getHostAddress();
        }
    }

    /** Runs a client repeatedly until the server listens. */
    static Run client(String... arguments) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        Run run = Run.of(arguments);
        while ((run.err().contains("reason 8") || run.err().contains("refused")) && System.nanoTime() < deadline) {
            run = Run.of(arguments);
        }
        return run;
    }
}
