package io.jverbs.samples.multicast;

import io.jverbs.RdmaContext;
import io.jverbs.cm.PortSpace;
import io.jverbs.samples.connect.Devices;
import io.jverbs.samples.connect.Hosts;
import io.jverbs.samples.console.HelpOption;
import io.jverbs.samples.nodes.DatagramPortSpaces;
import io.jverbs.samples.nodes.Endpoints;
import io.jverbs.samples.nodes.Transfer;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Joins a multicast group, and sends or receives datagrams. Interoperates with {@code mckey}. */
@Command(name = "mckey", exitCodeOnInvalidInput = 1, description = "Joins a multicast group and sends or receives"
        + " datagrams; interoperates with mckey.")
public final class MckeyCommand implements Callable<Integer> {
    @Option(names = "-m", paramLabel = "ADDRESS", description = "The IP address of the multicast group.")
    private String group;
    @Option(names = "-M", paramLabel = "ADDRESS", description = "Refused: a multicast GID that is no IP address.")
    private String unmapped;
    @Option(names = "-s", description = "Sends to the group; without it, receives.")
    private boolean isSender;
    @Option(names = "-b", paramLabel = "ADDRESS", description = "The local address; by default one from which the group"
            + " is reached.")
    private String local;
    @Option(names = "-c", paramLabel = "N", defaultValue = "1", description = "The number of queue pairs that join the"
            + " group; default ${DEFAULT-VALUE}.")
    private String connections;
    @Option(names = "-C", paramLabel = "N", defaultValue = "10", description = "The number of messages of each queue"
            + " pair; default ${DEFAULT-VALUE}. A receiver ends when each of its queue pairs has received as many.")
    private String messages;
    @Option(names = "-S", paramLabel = "BYTES", defaultValue = "100", description = "The length of a message, at most"
            + " the MTU; default ${DEFAULT-VALUE}. That of a receiver may be greater.")
    private String size;
    @Option(names = "-p", paramLabel = "N", defaultValue = "0x111", description = "The port space as a number, 0x111"
            + " for udp or 0x2 for ipoib; default ${DEFAULT-VALUE}.")
    private String portSpace;
    @Option(names = "-o", description = "Joins as a member that only sends.")
    private boolean sendOnly;
    @Option(names = "-l", description = "Prevents the loopback of multicast: a queue pair does not receive the messages"
            + " that it sends itself.")
    private boolean blockLoopback;
    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;

    /** Creates the command. */
    public MckeyCommand() {
        // picocli sets the options
    }

    @Override
    public Integer call() throws InterruptedException {
        Transfer wanted;
        PortSpace space;
        try {
            wanted = Transfer.parse(connections, messages, size);
            space = DatagramPortSpaces.ofNumber(portSpace);
            checkGroup();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        Endpoints endpoints = new Endpoints(new InetSocketAddress(Hosts.resolve("-m", group), 0),
                local == null ? null : new InetSocketAddress(Hosts.resolve("-b", local), 0));
        Mckey.Options options = new Mckey.Options(isSender, sendOnly, blockLoopback);
        try (RdmaContext context = Devices.find(null).open()) {
            return new Mckey(endpoints, wanted, options, Mckey.PAUSE, spec.commandLine().getOut(),
                    spec.commandLine().getErr()).run(context, space);
        }
    }

    private void checkGroup() {
        if (unmapped != null) {
            throw new IllegalArgumentException("-M " + unmapped + " is not supported, since an ID has an IP address;"
                    + " allowed is -m with the IP address of a multicast group");
        }
        if (group == null) {
            throw new IllegalArgumentException("-m is missing; it gives the IP address of a multicast group");
        }
    }
}
