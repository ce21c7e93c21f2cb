package io.jverbs.samples.rsocket;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.rsocket.RdmaStream;
import io.jverbs.rsocket.RdmaStreamException;
import io.jverbs.rsocket.RdmaStreamOptions;
import io.jverbs.samples.Run;
import java.io.IOException;
import java.net.InetSocketAddress;
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

    /** Connects repeatedly until the server listens. */
    static RdmaStream connect(RdmaContext context, int port, RdmaStreamOptions options)
            throws IOException, InterruptedException {
        InetSocketAddress server = new InetSocketAddress(address(), port);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (true) {
            try {
                return RdmaStream.connect(context, server, options);
            } catch (RdmaStreamException e) {
                if (e.reason() != RdmaStreamException.Reason.REJECTED || System.nanoTime() > deadline) {
                    throw e;
                }
            }
        }
    }
}
