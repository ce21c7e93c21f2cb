package io.jverbs.samples.rdmacm;

import io.jverbs.RdmaContext;
import io.jverbs.cm.PortSpace;
import io.jverbs.samples.connect.Devices;
import io.jverbs.samples.console.HelpOption;
import io.jverbs.samples.nodes.DatagramPortSpaces;
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

/** Looks up UD queue pairs and transfers datagrams. Interoperates with {@code udaddy}. */
@Command(name = "udaddy", exitCodeOnInvalidInput = 1, description = "Looks up UD queue pairs and transfers datagrams;"
        + " interoperates with udaddy.")
public final class UdaddyCommand implements Callable<Integer> {
    /** udaddy has no option for the port. */
    private static final int PORT = 7174;

    @Mixin
    private AddressOptions addresses;
    @Mixin
    private FormatOption format;
    @Mixin
    private TransferOptions transfer;
    @Option(names = "-P", paramLabel = "SPACE", defaultValue = "udp", description = "The port space, udp or ipoib;"
            + " default ${DEFAULT-VALUE}.")
    private String portSpace;
    @Option(names = "-p", paramLabel = "N", description = "The port space as a number, 0x111 for udp or 0x2 for ipoib,"
            + " in place of -P.")
    private String portSpaceNumber;
    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;

    /** Creates the command. */
    public UdaddyCommand() {
        // picocli sets the options
    }

    @Override
    public Integer call() throws InterruptedException {
        Transfer wanted;
        int typeOfService;
        PortSpace space;
        try {
            wanted = transfer.transfer();
            typeOfService = transfer.typeOfService();
            space = portSpaceNumber == null ? space() : DatagramPortSpaces.ofNumber(portSpaceNumber);
            format.check(addresses);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        Endpoints endpoints = addresses.endpoints(PORT);
        try (RdmaContext context = Devices.find(null).open()) {
            return new Udaddy(endpoints, wanted, typeOfService, spec.commandLine().getOut(),
                    spec.commandLine().getErr()).run(context, space);
        }
    }

    private PortSpace space() {
        return switch (portSpace.toLowerCase(Locale.ROOT)) {
            case "udp" -> PortSpace.UDP;
            case "ipoib" -> PortSpace.IPOIB;
            default -> throw new IllegalArgumentException("-P " + portSpace + " is not a port space; allowed are udp,"
                    + " ipoib");
        };
    }
}
