package io.jverbs.samples.rsocket;

import io.jverbs.RdmaContext;
import io.jverbs.rsocket.RdmaStreamException;
import io.jverbs.samples.connect.Devices;
import io.jverbs.samples.connect.Hosts;
import io.jverbs.samples.connect.Numbers;
import io.jverbs.samples.console.HelpOption;
import io.jverbs.samples.console.SampleFailure;
import io.jverbs.samples.console.UsageFailure;
import io.jverbs.samples.nodes.Endpoints;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Copies a file over RDMA. Interoperates with {@code rcopy}. */
@Command(name = "rcopy", exitCodeOnInvalidInput = 1, description = "Copies a file over RDMA; interoperates with rcopy.")
public final class RcopyCommand implements Callable<Integer> {
    private static final StreamSettings SETTINGS = new StreamSettings(StreamType.BUFFER_SIZE, 64, 0);

    @Parameters(index = "0", arity = "0..1", paramLabel = "SOURCE", description = "The file to copy; without it, runs"
            + " as the server, which writes any file that clients name.")
    private String source;
    @Parameters(index = "1", arity = "0..1", paramLabel = "SERVER[:DESTINATION]", description = "The server, and the"
            + " path of the copy there; default the path of the source. An IPv6 address is written in brackets.")
    private String target;
    @Option(names = "-p", paramLabel = "PORT", defaultValue = "7427", description = "The port of the server; default"
            + " ${DEFAULT-VALUE}.")
    private String port;
    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;

    /** Creates the command. */
    public RcopyCommand() {
        // picocli sets the options
    }

    @Override
    public Integer call() throws InterruptedException {
        int number;
        try {
            number = Numbers.read("-p", port, 1, Hosts.MAX_PORT);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        if (source != null && target == null) {
            throw new UsageFailure("the server is missing: rcopy SOURCE SERVER[:DESTINATION]");
        }
        PrintWriter out = spec.commandLine().getOut();
        try (RdmaContext context = Devices.find(null).open()) {
            StreamType type = new StreamType.Rdma(context);
            if (source == null) {
                serve(type, new Endpoints(null, new InetSocketAddress(number)), out);
            } else {
                copy(type, number, out);
            }
        } catch (IOException e) {
            throw new SampleFailure(e.getMessage());
        }
        return ExitCode.OK;
    }

    private void copy(StreamType type, int number, PrintWriter out) throws IOException, InterruptedException {
        int bracket = target.startsWith("[") ? target.indexOf(']') : -1;
        int colon = target.indexOf(':', Math.max(bracket, 0));
        String host = colon < 0 ? target : target.substring(0, colon);
        String destination = colon < 0 ? source : target.substring(colon + 1);
        InetSocketAddress server = new InetSocketAddress(Hosts.resolve("SERVER", host), number);
        try (ByteStream stream = type.connect(new Endpoints(server, null), SETTINGS)) {
            new CopyClient(Path.of(source), destination, out).run(stream);
        }
    }

    private static void serve(StreamType type, Endpoints endpoints, PrintWriter out)
            throws IOException, InterruptedException {
        try (StreamListener listener = type.listen(endpoints, SETTINGS)) {
            while (true) {
                out.println("waiting for connection...");
                out.flush();
                try (ByteStream stream = listener.accept()) {
                    new CopyServer(out).serve(stream);
                } catch (RdmaStreamException | SampleFailure e) {
                    // the next client is served
                    out.println(e.getMessage());
                }
            }
        }
    }
}
