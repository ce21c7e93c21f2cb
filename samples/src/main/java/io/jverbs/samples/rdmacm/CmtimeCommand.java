package io.jverbs.samples.rdmacm;

import io.jverbs.RdmaContext;
import io.jverbs.samples.connect.Devices;
import io.jverbs.samples.connect.Hosts;
import io.jverbs.samples.connect.Numbers;
import io.jverbs.samples.console.HelpOption;
import io.jverbs.samples.nodes.AddressOptions;
import io.jverbs.samples.nodes.Endpoints;
import io.jverbs.samples.nodes.Transfer;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures the steps of connections. Interoperates with {@code cmtime}. */
@Command(name = "cmtime", exitCodeOnInvalidInput = 1, description = "Measures the steps of many connections;"
        + " interoperates with cmtime.")
public final class CmtimeCommand implements Callable<Integer> {
    private static final int MAX_RETRIES = 255;

    @Mixin
    private AddressOptions addresses;
    @Option(names = "-c", paramLabel = "N", defaultValue = "100", description = "The number of connections of the"
            + " client; default ${DEFAULT-VALUE}.")
    private String connections;
    @Option(names = "-p", paramLabel = "PORT", defaultValue = "7471", description = "The port of the connection"
            + " manager; default ${DEFAULT-VALUE}.")
    private String port;
    @Option(names = "-r", paramLabel = "N", defaultValue = "2", description = "The number of retries to resolve an"
            + " address or a route; also of the queue pairs; default ${DEFAULT-VALUE}.")
    private String retries;
    @Option(names = "-t", paramLabel = "MS", defaultValue = "2000", description = "The time to resolve an address or a"
            + " route in milliseconds; default ${DEFAULT-VALUE}.")
    private String timeout;
    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;

    /** Creates the command. */
    public CmtimeCommand() {
        // picocli sets the options
    }

    @Override
    public Integer call() throws InterruptedException {
        int count;
        int attempts;
        int millis;
        int number;
        try {
            count = Numbers.read("-c", connections, 1, Transfer.MAX_CONNECTIONS);
            attempts = Numbers.read("-r", retries, 0, MAX_RETRIES);
            millis = Numbers.read("-t", timeout, 1, Integer.MAX_VALUE);
            number = Numbers.read("-p", port, 1, Hosts.MAX_PORT);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        Endpoints endpoints = addresses.endpoints(number);
        try (RdmaContext context = Devices.find(null).open()) {
            new Cmtime(endpoints, count, attempts, Duration.ofMillis(millis), spec.commandLine().getOut())
                    .run(context);
        }
        return ExitCode.OK;
    }
}
