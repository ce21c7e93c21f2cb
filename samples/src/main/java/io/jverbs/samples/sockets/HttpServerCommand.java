package io.jverbs.samples.sockets;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.SimpleFileServer;
import io.jverbs.samples.connect.Hosts;
import io.jverbs.samples.connect.Numbers;
import io.jverbs.samples.console.HelpOption;
import io.jverbs.samples.console.SampleFailure;
import io.jverbs.samples.console.UsageFailure;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Serves a folder with the HTTP server of the JDK, which knows nothing of RDMA. */
@Command(name = "http-server", description = "Serves a folder over RDMA with the HTTP server of the JDK; clients are"
        + " curl with librspreload, and Java's HTTP client on RDMA.")
public final class HttpServerCommand implements Callable<Integer> {
    @Parameters(index = "0", arity = "0..1", paramLabel = "FOLDER", defaultValue = ".", description = "The folder;"
            + " default ${DEFAULT-VALUE}.")
    private String folder;
    @Option(names = "-b", paramLabel = "ADDRESS", description = "The local address; default all addresses.")
    private String address;
    @Option(names = "-p", paramLabel = "PORT", defaultValue = "8080", description = "The port; default"
            + " ${DEFAULT-VALUE}.")
    private String port;
    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;

    /** Creates the command. */
    public HttpServerCommand() {
        // picocli sets the options
    }

    @Override
    public Integer call() throws InterruptedException {
        int number;
        try {
            number = Numbers.read("-p", port, 0, Hosts.MAX_PORT);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        Path root = Path.of(folder).toAbsolutePath().normalize();
        if (!Files.isDirectory(root)) {
            throw new UsageFailure("there is no folder " + root);
        }
        InetSocketAddress local = new InetSocketAddress(Hosts.resolve("-b", address), number);
        RdmaProvider.install();
        serve(root, local, spec.commandLine().getOut());
        return ExitCode.OK;
    }

    private static void serve(Path root, InetSocketAddress local, PrintWriter out) throws InterruptedException {
        HttpServer server;
        try {
            server = HttpServer.create(local, 0, "/", SimpleFileServer.createFileHandler(root));
        } catch (IOException e) {
            throw new SampleFailure("no server at " + local + ": " + e.getMessage());
        }
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            server.setExecutor(threads);
            server.start();
            try {
                out.println("serves " + root + " at " + server.getAddress());
                out.flush();
                // until the program is ended
                new CountDownLatch(1).await();
            } finally {
                server.stop(0);
            }
        }
    }
}
