package io.jverbs.samples.rdmacm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.samples.Run;
import io.jverbs.samples.TwoSides;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Server and client of a program in one JVM. */
record BothSides(Run server, Run client) {
    private static final int LIMIT_SECONDS = 30;
    private static final int ATTEMPTS = 10;
    /** How much later the client starts in each attempt. */
    private static final int PAUSE_MILLIS = 20;

    /**
     * Runs both sides; the client has the server's address. If a port has no listener yet at one of its connects, both
     * start again, the client later: the server may have got its other connects, and then waits for the rest.
     */
    static BothSides run(String program, String... options) throws Exception {
        return run(List.of(program), List.of(program), options);
    }

    static BothSides run(List<String> serverStart, List<String> clientStart, String... options) throws Exception {
        String[] serverWords = words(serverStart, options);
        String[] clientWords = words(Stream.concat(clientStart.stream(), Stream.of("-s", address())).toList(), options);
        for (int attempt = 0;; attempt++) {
            CompletableFuture<Thread> server = new CompletableFuture<>();
            CompletableFuture<Run> ended = TwoSides.inThread(() -> {
                server.complete(Thread.currentThread());
                return Run.of(serverWords);
            });
            Thread.sleep(PAUSE_MILLIS * attempt);
            Run client = Run.of(clientWords);
            boolean isLast = attempt == ATTEMPTS || !client.err().contains("there is no listener at this port");
            if (!isLast) {
                server.join().interrupt();
            }
            Run served = ended.get(LIMIT_SECONDS, TimeUnit.SECONDS);
            if (isLast) {
                return new BothSides(served, client);
            }
        }
    }

    private static String[] words(List<String> start, String... options) {
        return Stream.concat(start.stream(), Stream.of(options)).toArray(String[]::new);
    }

    /** Returns the address of the device that the samples use. */
    static String address() {
        try (RdmaContext context = Verbs.open()) {
            return context.preferredGid(1).gid().toInetAddress().getHostAddress();
        }
    }

    /** Both sides must have ended without an error, with these lines. */
    void assertLines(List<String> serverLines, List<String> clientLines) {
        assertEquals("", client.err());
        assertEquals("", server.err());
        assertEquals(clientLines, client.lines());
        assertEquals(serverLines, server.lines());
        assertEquals(0, client.status());
        assertEquals(0, server.status());
    }
}
