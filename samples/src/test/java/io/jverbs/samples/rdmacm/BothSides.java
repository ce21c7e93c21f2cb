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

    /** Runs both sides; the client has the server's address, and is repeated until the server listens. */
    static BothSides run(String program, String... options) throws Exception {
        return run(List.of(program), List.of(program), options);
    }

    static BothSides run(List<String> serverStart, List<String> clientStart, String... options) throws Exception {
        String[] serverWords = words(serverStart, options);
        CompletableFuture<Run> server = TwoSides.inThread(() -> Run.of(serverWords));
        String[] clientWords = words(Stream.concat(clientStart.stream(), Stream.of("-s", address())).toList(), options);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        Run client = Run.of(clientWords);
        while (nobodyListens(client) && System.nanoTime() < deadline) {
            client = Run.of(clientWords);
        }
        return new BothSides(server.get(LIMIT_SECONDS, TimeUnit.SECONDS), client);
    }

    private static String[] words(List<String> start, String... options) {
        return Stream.concat(start.stream(), Stream.of(options)).toArray(String[]::new);
    }

    private static boolean nobodyListens(Run client) {
        return client.err().contains("nobody listens at this port");
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
