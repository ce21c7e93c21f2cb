package io.jverbs.samples.rdmacm;

import io.jverbs.RdmaContext;
import io.jverbs.cm.PortSpace;
import io.jverbs.samples.connect.Devices;
import io.jverbs.samples.connect.Hosts;
import io.jverbs.samples.connect.Numbers;
import io.jverbs.samples.console.HelpOption;
import io.jverbs.samples.nodes.AddressOptions;
import io.jverbs.samples.nodes.Endpoints;
import io.jverbs.samples.nodes.FormatOption;
import io.jverbs.samples.nodes.Transfer;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Connects several queue pairs and transfers messages. Interoperates with {@code ucmatose}. */
@Command(name = "ucmatose", exitCodeOnInvalidInput = 1, description = "Connects queue pairs and transfers messages over"
        + " each; interoperates with ucmatose.")
public final class UcmatoseCommand implements Callable<Integer> {
    private static final int MAX_ACK_TIMEOUT = 31;

    @Mixin
    private AddressOptions addresses;
    @Mixin
    private FormatOption format;
    @Mixin
    private TransferOptions transfer;
    @Option(names = "-p", paramLabel = "PORT", defaultValue = "7471", description = "The port of the connection"
            + " manager; default ${DEFAULT-VALUE}.")
    private String port;
    @Option(names = "-P", paramLabel = "SPACE", defaultValue = "tcp", description = "The port space, tcp or ib; default"
            + " ${DEFAULT-VALUE}.")
    private String portSpace;
    @Option(names = "-m", description = "Moves the IDs to another channel after the transfer.")
    private boolean migrate;
    @Option(names = "-a", paramLabel = "EXPONENT", description = "The ACK timeout: 4.096 microseconds times two to the"
            + " power of this number.")
    private String ackTimeout;
    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;

    /** Creates the command. */
    public UcmatoseCommand() {
        // picocli sets the options
    }

    @Override
    public Integer call() throws InterruptedException {
        Transfer wanted;
        Ucmatose.Options options;
        PortSpace space;
        int number;
        try {
            wanted = transfer.transfer();
            options = new Ucmatose.Options(transfer.typeOfService(), ackTimeout == null
                    ? TransferOptions.NOT_GIVEN
                    : Numbers.read("-a", ackTimeout, 0, MAX_ACK_TIMEOUT), migrate);
            number = Numbers.read("-p", port, 1, Hosts.MAX_PORT);
            space = space();
            format.check(addresses);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        Endpoints endpoints = addresses.endpoints(number);
        try (RdmaContext context = Devices.find(null).open()) {
            return new Ucmatose(endpoints, wanted, options, spec.commandLine().getOut(), spec.commandLine().getErr())
                    .run(context, space);
        }
    }

    private PortSpace space() {
        return switch (portSpace.toLowerCase(Locale.ROOT)) {
            case "tcp" -> PortSpace.TCP;
            case "ib" -> PortSpace.IB;
            default -> throw new IllegalArgumentException("-P " + portSpace + " is not a port space; allowed are tcp,"
                    + " ib");
        };
    }
}
