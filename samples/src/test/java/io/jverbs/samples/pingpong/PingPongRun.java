package io.jverbs.samples.pingpong;

import io.jverbs.samples.Run;
import io.jverbs.samples.TwoSides;
import io.jverbs.samples.console.SampleFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The results of a server and a client of a ping-pong, each on a software device of its own. */
record PingPongRun(Run server, Run client) {
    static final String SERVER_DEVICE = "soft:soft40";
    static final String CLIENT_DEVICE = "soft:soft41";
    private static final int TIMEOUT_SECONDS = 60;

    /** Runs both sides with the same options. */
    static PingPongRun of(String program, String... options) throws Exception {
        return of(program, List.of(options), List.of(options));
    }

    /** Runs both sides with the same options and option -R, over the wire. */
    static PingPongRun overRdmaCm(String program, String... options) throws Exception {
        List<String> both = new ArrayList<>(List.of(options));
        both.add("-R");
        return overRdmaCm(program, both, both);
    }

    /** Runs both sides over the wire; their options contain -R. */
    static PingPongRun overRdmaCm(String program, List<String> serverOptions, List<String> clientOptions)
            throws Exception {
        return of(program, "soft:127.0.40.1?fabric=wire", "soft:127.0.40.2?fabric=wire", serverOptions, clientOptions,
                "127.0.40.1");
    }

    static PingPongRun of(String program, List<String> serverOptions, List<String> clientOptions) throws Exception {
        return of(program, SERVER_DEVICE, CLIENT_DEVICE, serverOptions, clientOptions, "localhost");
    }

    private static PingPongRun of(String program, String serverDevice, String clientDevice, List<String> serverOptions,
            List<String> clientOptions, String host) throws Exception {
        String port = Integer.toString(TwoSides.freePort());
        CompletableFuture<Run> server = TwoSides.inThread(
                () -> Run.of(arguments(program, serverDevice, port, serverOptions)));
        List<String> withHost = new ArrayList<>(clientOptions);
        withHost.add(host);
        CompletableFuture<Run> client = TwoSides.inThread(
                () -> TwoSides.connecting(TIMEOUT_SECONDS, arguments(program, clientDevice, port, withHost)));
        return new PingPongRun(server.get(TIMEOUT_SECONDS, TimeUnit.SECONDS),
                client.get(TIMEOUT_SECONDS, TimeUnit.SECONDS));
    }

    private static String[] arguments(String program, String device, String port, List<String> options) {
        List<String> arguments = new ArrayList<>(List.of(program, "-d", device, "-p", port));
        arguments.addAll(options);
        return arguments.toArray(String[]::new);
    }

    /** Runs a client task repeatedly until the server listens. */
    static <T> T untilConnected(Supplier<T> task) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        while (true) {
            try {
                return task.get();
            } catch (SampleFailure e) {
                if (!e.getMessage().startsWith("no connection to") || System.nanoTime() > deadline) {
                    throw e;
                }
            }
        }
    }
}
