package io.jverbs.samples.rsocket;

import io.jverbs.RdmaContext;
import io.jverbs.samples.connect.Devices;
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

/** Measures direct transfers of streams. Interoperates with {@code riostream}. */
@Command(name = "riostream", exitCodeOnInvalidInput = 1, description = "Measures latency and bandwidth of streams that"
        + " write directly into memory of the peer; interoperates with riostream.")
public final class RiostreamCommand implements Callable<Integer> {
    @Mixin
    private AddressOptions addresses;
    @Mixin
    private FormatOption format;
    @Mixin
    private StreamTestOptions options;
    @Option(names = "-T", paramLabel = "OPTION", description = "A test option, may be repeated: a or async, waits until"
            + " it can send; b or blocking, sending waits; n or nonblocking, the default; v or verify, compares the"
            + " data.")
    private List<String> testOptions = List.of();
    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;

    /** Creates the command. */
    public RiostreamCommand() {
        // picocli sets the options
    }

    @Override
    public Integer call() throws InterruptedException {
        TransferModes modes;
        StreamSettings settings;
        List<StreamTestGroup> groups;
        int number;
        try {
            modes = TransferModes.parseDirect(testOptions);
            settings = options.settings(0);
            groups = options.groups(settings);
            number = options.port();
            format.check(addresses);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        Endpoints endpoints = addresses.endpoints(number);
        try (RdmaContext context = Devices.find(null).open()) {
            new Riostream(endpoints, new StreamType.Rdma(context), settings, modes, spec.commandLine().getOut())
                    .run(groups);
        } catch (IOException e) {
            throw new SampleFailure(e.getMessage());
        }
        return ExitCode.OK;
    }
}
