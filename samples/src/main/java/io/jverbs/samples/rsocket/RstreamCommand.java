package io.jverbs.samples.rsocket;

import io.jverbs.RdmaContext;
import io.jverbs.samples.connect.Devices;
import io.jverbs.samples.connect.Numbers;
import io.jverbs.samples.console.HelpOption;
import io.jverbs.samples.console.SampleFailure;
import io.jverbs.samples.nodes.AddressOptions;
import io.jverbs.samples.nodes.Endpoints;
import io.jverbs.samples.nodes.FormatOption;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures streams of bytes. Interoperates with {@code rstream}. */
@Command(name = "rstream", exitCodeOnInvalidInput = 1, description = "Measures latency and bandwidth of streams of"
        + " bytes; interoperates with rstream.")
public final class RstreamCommand implements Callable<Integer> {
    private static final int MAX_KEEP_ALIVE = 86_400;

    @Mixin
    private AddressOptions addresses;
    @Mixin
    private FormatOption format;
    @Mixin
    private StreamTestOptions options;
    @Option(names = "-k", paramLabel = "SECONDS", defaultValue = "0", description = "The time after which a silent"
            + " peer is checked; default ${DEFAULT-VALUE}, never.")
    private String keepAlive;
    @Option(names = "-T", paramLabel = "OPTION", description = "A test option, may be repeated: s or socket, TCP"
            + " connections; a or async, waits until it can transfer; b or blocking, transfers wait; f or fork, another"
            + " thread serves each client, with TCP connections; n or nonblocking, the default; r or resolve, as"
            + " without it; v or verify, compares the data.")
    private List<String> testOptions = List.of();
    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;

    /** Creates the command. */
    public RstreamCommand() {
        // picocli sets the options
    }

    @Override
    public Integer call() throws InterruptedException {
        TransferModes modes;
        StreamSettings settings;
        List<StreamTestGroup> groups;
        int number;
        try {
            modes = TransferModes.parse(testOptions);
            settings = options.settings(Numbers.read("-k", keepAlive, 0, MAX_KEEP_ALIVE));
            groups = options.groups(settings);
            number = options.port();
            format.check(addresses);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        Endpoints endpoints = addresses.endpoints(number);
        if (modes.sockets()) {
            run(endpoints, new StreamType.Tcp(), settings, modes, groups);
            return ExitCode.OK;
        }
        try (RdmaContext context = Devices.find(null).open()) {
            run(endpoints, new StreamType.Rdma(context), settings, modes, groups);
        }
        return ExitCode.OK;
    }

    private void run(Endpoints endpoints, StreamType type, StreamSettings settings, TransferModes modes,
            List<StreamTestGroup> groups) throws InterruptedException {
        try {
            new Rstream(endpoints, type, settings, modes, spec.commandLine().getOut()).run(groups);
        } catch (IOException e) {
            throw new SampleFailure(e.getMessage());
        }
    }
}
