package io.jverbs.samples.rsocket;

import io.jverbs.RdmaContext;
import io.jverbs.samples.connect.Devices;
import io.jverbs.samples.connect.Hosts;
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
    private static final int MIN_BUFFER = 4096;
    private static final int MAX_BUFFER = 1 << 30;
    private static final int MAX_INLINE = 1024;
    private static final int MAX_SIZE = 1 << 30;
    private static final int MAX_KEEP_ALIVE = 86_400;
    private static final int DEFAULT_SIZE = 1000;
    private static final int DEFAULT_TRANSFERS = 1000;
    private static final int DEFAULT_INLINE = 64;

    @Mixin
    private AddressOptions addresses;
    @Mixin
    private FormatOption format;
    @Option(names = "-B", paramLabel = "BYTES", description = "The size of the send buffer and of the receive buffer;"
            + " default 524288.")
    private String bufferSize;
    @Option(names = "-i", paramLabel = "BYTES", defaultValue = "64", description = "Up to how many bytes are sent"
            + " inline in latency tests; default ${DEFAULT-VALUE}.")
    private String inlineSize;
    @Option(names = "-I", paramLabel = "N", description = "The number of iterations. This option, -C and -S with a"
            + " number run one test in place of the series.")
    private String iterations;
    @Option(names = "-C", paramLabel = "N", description = "The number of transfers in each direction in an iteration;"
            + " default 1000.")
    private String transfers;
    @Option(names = "-S", paramLabel = "BYTES", description = "The size of a transfer, default 1000; or all, for a"
            + " series with more sizes.")
    private String size;
    @Option(names = "-p", paramLabel = "PORT", defaultValue = "7471", description = "The port of the server; default"
            + " ${DEFAULT-VALUE}.")
    private String port;
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
        List<Rstream.Group> groups;
        int number;
        try {
            modes = TransferModes.parse(testOptions);
            settings = new StreamSettings(
                    bufferSize == null
                            ? StreamType.BUFFER_SIZE
                            : Numbers.readSize("-B", bufferSize, MIN_BUFFER, MAX_BUFFER),
                    Numbers.read("-i", inlineSize, 0, MAX_INLINE),
                    Numbers.read("-k", keepAlive, 0, MAX_KEEP_ALIVE));
            groups = groups(settings);
            number = Numbers.read("-p", port, 1, Hosts.MAX_PORT);
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
            List<Rstream.Group> groups) throws InterruptedException {
        int largest = groups.stream().flatMap(group -> group.tests().stream()).mapToInt(RstreamCase::size).max()
                .orElseThrow();
        try {
            new Rstream(endpoints, type, settings, modes, spec.commandLine().getOut()).run(groups, largest);
        } catch (IOException e) {
            throw new SampleFailure(e.getMessage());
        }
    }

    private List<Rstream.Group> groups(StreamSettings settings) {
        boolean all = "all".equalsIgnoreCase(size);
        if (iterations == null && transfers == null && (size == null || all)) {
            List<Integer> sizes = RstreamCase.sizes(all);
            return List.of(
                    new Rstream.Group(sizes.stream().map(RstreamCase::latency).toList(), settings.inlineSize()),
                    new Rstream.Group(sizes.stream().map(RstreamCase::bandwidth).toList(), 0));
        }
        RstreamCase test = new RstreamCase("custom",
                size == null || all ? DEFAULT_SIZE : Numbers.readSize("-S", size, 1, MAX_SIZE),
                transfers == null ? DEFAULT_TRANSFERS : Numbers.read("-C", transfers, 1, Integer.MAX_VALUE),
                iterations == null ? 1 : Numbers.read("-I", iterations, 1, Integer.MAX_VALUE));
        return List.of(new Rstream.Group(List.of(test), DEFAULT_INLINE));
    }
}
