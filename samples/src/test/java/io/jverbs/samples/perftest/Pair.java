package io.jverbs.samples.perftest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import io.jverbs.samples.Run;
import io.jverbs.samples.TwoSides;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The results of a server and a client of one test, run by two threads, each on a software device of its own. */
public record Pair(Run server, Run client) {
    /** Devices that reach each other over the wire, although they are in one JVM. */
    static final String SERVER_DEVICE = "soft:127.0.43.1?fabric=wire";
    static final String CLIENT_DEVICE = "soft:127.0.43.2?fabric=wire";
    public static final int TIMEOUT_SECONDS = 20;

    /** Runs both sides with the same options, over the wire. */
    static Pair overTheWire(String program, String... options) throws Exception {
        return of(program, SERVER_DEVICE, CLIENT_DEVICE, List.of(options), List.of(options));
    }

    /** Runs both sides with the same options and option -R, over the wire. */
    static Pair overRdmaCm(String program, String... options) throws Exception {
        return overRdmaCm(program, program, List.of(options));
    }

    /** Runs two programs with the same options and option -R, over the wire. */
    static Pair overRdmaCm(String serverProgram, String clientProgram, List<String> options) throws Exception {
        List<String> both = new ArrayList<>(options);
        both.add("-R");
        return of(serverProgram, clientProgram, SERVER_DEVICE, CLIENT_DEVICE, both, both, "127.0.43.1");
    }

    /** Runs both sides on devices that reach each other within this JVM. */
    public static Pair of(String program, List<String> serverOptions, List<String> clientOptions) throws Exception {
        return of(program, "soft:soft44", "soft:soft45", serverOptions, clientOptions);
    }

    /** Runs the server and the client of two programs with the default options. */
    static Pair of(String serverProgram, String clientProgram) throws Exception {
        return of(serverProgram, clientProgram, "soft:soft44", "soft:soft45", List.of(), List.of());
    }

    private static Pair of(String program, String serverDevice, String clientDevice, List<String> serverOptions,
            List<String> clientOptions) throws Exception {
        return of(program, program, serverDevice, clientDevice, serverOptions, clientOptions);
    }

    private static Pair of(String serverProgram, String clientProgram, String serverDevice, String clientDevice,
            List<String> serverOptions, List<String> clientOptions) throws Exception {
        return of(serverProgram, clientProgram, serverDevice, clientDevice, serverOptions, clientOptions, "127.0.0.1");
    }

    private static Pair of(String serverProgram, String clientProgram, String serverDevice, String clientDevice,
            List<String> serverOptions, List<String> clientOptions, String host) throws Exception {
        String port = Integer.toString(TwoSides.freePort());
        CompletableFuture<Run> server = TwoSides
                .inThread(() -> Run.of(arguments(serverProgram, serverDevice, port, serverOptions)));
        List<String> withHost = new ArrayList<>(clientOptions);
        withHost.add(host);
        CompletableFuture<Run> client = TwoSides.inThread(
                () -> TwoSides.connecting(TIMEOUT_SECONDS, arguments(clientProgram, clientDevice, port, withHost)));
        Run ofClient = client.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        try {
            return new Pair(server.get(TIMEOUT_SECONDS, TimeUnit.SECONDS), ofClient);
        } catch (TimeoutException e) {
            return fail("the server did not exit; the client returned " + ofClient, e);
        }
    }

    private static String[] arguments(String program, String device, String port, List<String> options) {
        List<String> arguments = new ArrayList<>(List.of(program, "-d", device, "-p", port));
        if (!options.contains("--warm-up")) {
            arguments.addAll(List.of("--warm-up", "0"));
        }
        arguments.addAll(options);
        return arguments.toArray(String[]::new);
    }

    /** Asserts that both sides succeeded and printed nothing to standard error. */
    public Pair succeeded() {
        for (Run run : List.of(server, client)) {
            assertEquals("", run.err());
            assertEquals(0, run.status(), run.out());
        }
        return this;
    }
}
