package io.jverbs.samples.udpong;

import io.jverbs.RdmaContext;
import io.jverbs.samples.connect.Devices;
import io.jverbs.samples.connect.Hosts;
import io.jverbs.samples.connect.Numbers;
import io.jverbs.samples.console.HelpOption;
import io.jverbs.samples.console.SampleFailure;
import io.jverbs.samples.nodes.AddressOptions;
import io.jverbs.samples.nodes.Endpoints;
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

/** Measures datagrams. Interoperates with {@code udpong}. */
@Command(name = "udpong", exitCodeOnInvalidInput = 1, description = "Measures latency and bandwidth of datagrams;"
        + " interoperates with udpong. The server runs until it is ended.")
public final class UdpongCommand implements Callable<Integer> {
    private static final int MIN_BUFFER = 4096;
    private static final int MAX_BUFFER = 1 << 27;
    private static final int DEFAULT_SIZE = 1000;
    private static final int DEFAULT_TRANSFERS = 1000;

    @Mixin
    private AddressOptions addresses;
    @Option(names = "-B", paramLabel = "BYTES", defaultValue = "524288", description = "The size of the send buffer and"
            + " of the receive buffer, 2048 bytes for a message; default ${DEFAULT-VALUE}.")
    private String bufferSize;
    @Option(names = "-C", paramLabel = "N", description = "The number of messages, default 1000. This option and -S run"
            + " one test in place of the series.")
    private String transfers;
    @Option(names = "-S", paramLabel = "BYTES", description = "The size of a message, default 1000.")
    private String size;
    @Option(names = "-p", paramLabel = "PORT", defaultValue = "7174", description = "The port of the server; default"
            + " ${DEFAULT-VALUE}.")
    private String port;
    @Option(names = "-T", paramLabel = "OPTION", description = "A test option, may be repeated: s or socket, UDP; a or"
            + " async, waits until it can send or receive; b or blocking, sending and receiving wait; n or nonblocking,"
            + " the default; e or echo, the server returns all messages of the test that -C and -S run.")
    private List<String> testOptions = List.of();
    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;

    /** Creates the command. */
    public UdpongCommand() {
        // picocli sets the options
    }

    @Override
    public Integer call() throws InterruptedException {
        UdpongModes modes;
        List<UdpongCase> tests;
        int number;
        int buffer;
        try {
            modes = UdpongModes.parse(testOptions);
            buffer = Numbers.readSize("-B", bufferSize, MIN_BUFFER, MAX_BUFFER);
            tests = tests(modes);
            number = Numbers.read("-p", port, 1, Hosts.MAX_PORT);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        Endpoints endpoints = addresses.endpoints(number);
        try {
            if (modes.sockets()) {
                try (MessageSocket socket = MessageSocket.udp(endpoints.local(), buffer)) {
                    run(socket, endpoints, modes, tests);
                }
            } else {
                try (RdmaContext context = Devices.find(null).open();
                        MessageSocket socket = MessageSocket.rdma(context, endpoints.local(), buffer)) {
                    run(socket, endpoints, modes, tests);
                }
            }
        } catch (IOException e) {
            throw new SampleFailure(e.getMessage());
        }
        return ExitCode.OK;
    }

    private void run(MessageSocket socket, Endpoints endpoints, UdpongModes modes, List<UdpongCase> tests)
            throws IOException, InterruptedException {
        if (endpoints.isClient()) {
            new UdpongClient(socket, endpoints.server(), modes, spec.commandLine().getOut(),
                    spec.commandLine().getErr()).run(tests);
        } else {
            new UdpongServer(socket, modes, spec.commandLine().getOut()).run();
        }
    }

    private List<UdpongCase> tests(UdpongModes modes) {
        if (transfers == null && size == null) {
            return UdpongCase.series();
        }
        return List.of(new UdpongCase("custom",
                size == null
                        ? DEFAULT_SIZE
                        : Numbers.readSize("-S", size, UdpongMessage.CONTROL_BYTES, UdpongMessage.MAX_BYTES),
                transfers == null ? DEFAULT_TRANSFERS : Numbers.read("-C", transfers, 1, Integer.MAX_VALUE),
                modes.echo()));
    }
}
